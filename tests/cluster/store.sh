#!/bin/sh
# The store against real servers: what it asks of one, those that are not there, stop,
# refuse, or are none, and three of them.
# usage: store.sh PROGRAM ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
program=$1 etcd=$2 tree=$3
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"

# scene NAME [ARG...]: one of store.c; a hang is a failure.
scene() {
	timeout 120 "$program" "$@"
}
with() {
	env "$@"
}
endpoints() {
	export ETCDCTL_ENDPOINTS="$1"
}

# served PORT: somebody listens there.
served() {
	tries=600
	until python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])))' "$1" 2>/dev/null; do
		[ $((tries -= 1)) -gt 0 ] || return
		sleep 0.1
	done
}

# --- one server
etcd_one one
etcd_await "$etcd_endpoint"
endpoints "$etcd_endpoint"
one=$etcd_endpoint one_pid=$etcd_pid
check "transactions: both branches, puts, deletes, gets" scene basic
check "all bytes" scene bytes
check "ranges: end, limit, order" scene ranges
check "as many actions as are allowed" scene most
check "leases: granted, kept alive, revoked, ended" scene leases
check "watches: past, later, timeout, woken" scene watches
check "a change that comes while we wait" scene waits
check "a compacted revision" scene compacted "${etcd%/*}/etcdctl"
check "options before variables" scene options "$one"
check "a stopped server: sent, and not answered" scene stopped "$one_pid"
kill -CONT "$one_pid"
check "http:// before the address" with ETCDCTL_ENDPOINTS="http://$one/" \
	"$program" there
check "a user, where none is needed" with ETCDCTL_USER=me:secret \
	"$program" there

# --- none, or another
dead=127.0.0.1:$(free_ports 1)
endpoints "$dead"
check "nobody there" scene absent
endpoints "$dead,$(free_ports 1 | sed s/^/127.0.0.1:/)"
check "two that are not there" scene absent
endpoints "$dead,$one"
check "the second, if the first is not there" scene there
endpoints "https://$one"
check "no TLS there" scene refused EPROTOTYPE "does not speak TLS"
port=$(free_ports 1)
etcd_dying "$port"
endpoints "https://127.0.0.1:$port"
check "a server is there" served "$port"
check "that dies when it is greeted, and may be back soon" scene greeted
etcd_stop "$etcd_pid"
endpoints "ftp://$one"
check "no such protocol" scene refused EPROTO "no address of a server"

# shellcheck disable=SC2046 # two words
set -- $(free_ports 2)
etcd_run none "$1" "$2" --initial-cluster "none=http://127.0.0.1:$2" \
	--enable-grpc-gateway=false
etcd_await "127.0.0.1:$1"
endpoints "127.0.0.1:$1"
check "a gateway that is disabled" scene refused EPROTO "gateway is disabled"
etcd_stop "$etcd_pid"

port=$(free_ports 1)
mkdir "$work/web"
python3 -m http.server "$port" --bind 127.0.0.1 --directory "$work/web" \
	>"$work/web.log" 2>&1 &
etcd_pids="$etcd_pids $!"
check "a server of pages is there" served "$port"
endpoints "127.0.0.1:$port"
check "which is no etcd" scene refused EPROTO "it is no etcd: status 501"
endpoints "https://127.0.0.1:$port"
check "and does not speak TLS" scene refused EPROTOTYPE "does not speak TLS"
etcd_stop_all

# shellcheck disable=SC2046 # two words
set -- $(free_ports 2)
if python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))' \
	2>/dev/null; then
	etcd_run six "$1" "$2" --initial-cluster "six=http://127.0.0.1:$2" \
		--listen-client-urls "http://[::1]:$1" \
		--advertise-client-urls "http://[::1]:$1"
	etcd_await "[::1]:$1"
	endpoints "[::1]:$1"
	check "an address of IPv6" scene there
	etcd_stop_all
else
	skip "an address of IPv6" "there is none here"
fi

# --- users
etcd_one users --auth-token-ttl 1 --bcrypt-cost 4
etcd_await "$etcd_endpoint"
endpoints "$etcd_endpoint"
users() {
	etcd_ctl "$etcd_endpoint" user add root:se:cret &&
		etcd_ctl "$etcd_endpoint" user grant-role root root &&
		etcd_ctl "$etcd_endpoint" user add guest:guest &&
		etcd_ctl "$etcd_endpoint" auth enable
}
check "users are needed from now on" users
check "a user with a password" with ETCDCTL_USER=root:se:cret "$program" there
check "both by themselves" with ETCDCTL_USER=root ETCDCTL_PASSWORD=se:cret \
	"$program" there
check "a wrong password" with ETCDCTL_USER=root:wrong \
	"$program" refused EACCES "authentication failed"
check "no password" with ETCDCTL_USER=root \
	"$program" refused EACCES "authentication failed"
check "nobody" scene forbidden "user name is empty"
check "somebody who may not" with ETCDCTL_USER=guest:guest \
	"$program" forbidden "permission denied"
check "a token that ends" with ETCDCTL_USER=root:se:cret \
	timeout 120 "$program" expires 3
etcd_stop_all

# --- certificates
# certificate NAME EXTENSION: signed by ca.
certificate() {
	echo "$2" >"$1.ext" &&
		openssl req -newkey ec:ec.param -nodes -keyout "$1.key" \
			-subj "/CN=$1" -out "$1.csr" &&
		openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key \
			-CAcreateserial -days 2 -extfile "$1.ext" -out "$1.crt"
}
authority() {
	openssl req -x509 -newkey ec:ec.param -nodes -keyout "$1.key" \
		-subj "/CN=$1" -days 2 -out "$1.crt"
}
certificates() (
	cd "$work" &&
		openssl ecparam -name prime256v1 -out ec.param &&
		authority ca && authority other &&
		certificate server subjectAltName=IP:127.0.0.1 &&
		certificate client extendedKeyUsage=clientAuth
)
if command -v openssl >/dev/null; then
	check "certificates are made" certificates
	etcd_scheme=https
	etcd_one tls --cert-file "$work/server.crt" --key-file "$work/server.key" \
		--trusted-ca-file "$work/ca.crt" --client-cert-auth
	etcd_await "https://$etcd_endpoint" --cacert "$work/ca.crt" \
		--cert "$work/client.crt" --key "$work/client.key"
	endpoints "$etcd_endpoint"
	check "neither authority nor certificate: no TLS" scene unencrypted
	endpoints "https://$etcd_endpoint"
	check "an authority that is not the system's" \
		scene refused EACCES "certificate is not to be trusted"
	export ETCDCTL_CACERT="$work/ca.crt"
	check "no certificate of our own" \
		scene refused EACCES "refuses our certificate"
	export ETCDCTL_CERT="$work/client.crt" ETCDCTL_KEY="$work/client.key"
	check "TLS with certificates of both" scene there
	check "and all the rest" scene basic
	check "watches too" scene watches
	check "the address without https://" \
		with ETCDCTL_ENDPOINTS="$etcd_endpoint" "$program" there
	check "another authority" with ETCDCTL_CACERT="$work/other.crt" \
		"$program" refused EACCES "certificate is not to be trusted"
	check "a key that is none" with ETCDCTL_KEY="$work/ec.param" \
		"$program" refused EACCES "our certificate or its key"
	unset ETCDCTL_CACERT ETCDCTL_CERT ETCDCTL_KEY etcd_scheme
	etcd_stop_all
else
	skip "certificates" "openssl is missing"
fi

# --- three servers
etcd_three three
etcd_await "$etcd_endpoints"
endpoints "$etcd_endpoints"
# shellcheck disable=SC2086 # three words
set -- $etcd_three
check "three servers" scene there
check "the first is stopped: requests and watch go to the second" \
	scene follows "$1"
kill -CONT "$1"
etcd_await "$etcd_endpoints"
check "the first of three without the others" \
	with ETCDCTL_ENDPOINTS="${etcd_endpoints%%,*}" "$program" minority "$2" "$3"
kill -CONT "$2" "$3"
etcd_await "$etcd_endpoints"
check "the server of a watch is killed" scene killed "$1"
check "the other two do" scene there
done_testing
