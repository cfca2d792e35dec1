# Sourced after what has soon: a network between us and $etcd_endpoint, which may be bad.
# shellcheck shell=sh
# shellcheck disable=SC2154 # work, tree, etcd_endpoint and etcd_pids are theirs
# shellcheck disable=SC2034 # so is what they use

# begin_network [SEED]: proxy_endpoint is the server's address in it.
begin_network() {
	faults_file=$work/faults proxy_log=$work/proxy.log settings=1
	: >"$faults_file"
	python3 "$tree/tests/cluster/proxy.py" "$etcd_endpoint" "$faults_file" \
		"$work/port" "${1:-1}" >"$proxy_log" 2>"$work/proxy.err" &
	proxy=$!
	etcd_pids="$etcd_pids $proxy"
	soon test -s "$work/port" && proxy_endpoint=127.0.0.1:$(cat "$work/port")
}
has_settings() {
	[ "$(grep -c "^faults " "$proxy_log")" = "$settings" ]
}
# network WORD...: what proxy.py does from now on.
network() {
	echo "$@" >"$faults_file"
	settings=$((settings + 1))
	kill -HUP "$proxy" && soon has_settings
}
# happened FAULT [TIMES [PATH]]: at least so often.
happened() {
	[ "$(grep -c "^$1 ${3-}" "$proxy_log")" -ge "${2-1}" ]
}
