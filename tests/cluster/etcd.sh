# Sourced after tap.sh by the tests that need etcd: real servers, on free ports of
# 127.0.0.1, that end with the test.  Needs $etcd, the program; etcdctl is beside it.
# shellcheck shell=sh
# shellcheck disable=SC2154 # etcd and tap_log are theirs
# shellcheck disable=SC2034 # etcd_endpoint and etcd_endpoints are for them

# in memory if possible: every commit waits for the disk
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
etcd_pids=
trap 'etcd_stop_all; rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# free_ports COUNT
free_ports() {
	python3 -c 'import socket, sys
all = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in all: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in all])' "$1"
}

# etcd_run NAME CLIENT-PORT PEER-PORT [ARG...]: etcd_pid is the process, which has its
# data in $work/NAME, and starts again with them if called again.
etcd_run() {
	name=$1 client=${etcd_scheme:-http}://127.0.0.1:$2 peer=http://127.0.0.1:$3
	shift 3
	"$etcd" --name "$name" --data-dir "$work/$name" --logger zap \
		--log-level error --listen-client-urls "$client" \
		--advertise-client-urls "$client" --listen-peer-urls "$peer" \
		--initial-advertise-peer-urls "$peer" "$@" \
		>>"$work/$name.log" 2>&1 &
	etcd_pid=$!
	etcd_pids="$etcd_pids $etcd_pid"
}

# etcd_dying PORT: what closes each connection when it is spoken to, as a server does that
# is killed just then; etcd_pid is the process.
etcd_dying() {
	python3 -c 'import socket, sys
s = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    connection, _ = s.accept()
    connection.recv(1)
    connection.close()' "$1" &
	etcd_pid=$!
	etcd_pids="$etcd_pids $etcd_pid"
}

# etcd_dropping PORT: who connects hears nothing: nobody accepts, and as many wait for it as
# may.  etcd_pid is the process; when it is so far it writes $work/dropping.
etcd_dropping() {
	rm -f "$work/dropping"
	python3 -c 'import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", int(sys.argv[1])))
s.listen(0)
waiting = [socket.socket() for _ in range(4)]
for w in waiting:
    w.setblocking(False)
    w.connect_ex(s.getsockname())
open(sys.argv[2], "w").close()
time.sleep(3600)' "$1" "$work/dropping" &
	etcd_pid=$!
	etcd_pids="$etcd_pids $etcd_pid"
}

# etcd_ctl ENDPOINTS ARG...; it minds if a variable says otherwise than an argument.
etcd_ctl() {
	endpoints=$1
	shift
	env -u ETCDCTL_ENDPOINTS -u ETCDCTL_CACERT -u ETCDCTL_CERT -u ETCDCTL_KEY \
		-u ETCDCTL_USER -u ETCDCTL_PASSWORD ETCDCTL_API=3 \
		"${etcd%/*}/etcdctl" --endpoints "$endpoints" "$@"
}

# etcd_await ENDPOINTS [ARG...]: until they all answer; the arguments are etcdctl's.
etcd_await() {
	late=$(($(date +%s) + 60))
	until etcd_ctl "$@" endpoint health >/dev/null 2>&1; do
		[ "$(date +%s)" -lt $late ] ||
			! echo "# no etcd after a minute: $*" || exit 1
		sleep 0.1
	done
}

# etcd_one NAME [ARG...]: a cluster of one; etcd_endpoint is its address.
etcd_one() {
	name=$1
	shift
	# shellcheck disable=SC2046 # two words
	set -- "$name" $(free_ports 2) "$@"
	etcd_endpoint=127.0.0.1:$2
	set -- "$@" --initial-cluster "$name=http://127.0.0.1:$3"
	etcd_again=$*
	etcd_run "$@"
}

# etcd_leave HOW: the one that etcd_one began is killed, or stopped.
etcd_leave() {
	case $1 in
	killed) etcd_stop "$etcd_pid" ;;
	stopped) kill -STOP "$etcd_pid" ;;
	esac
}
# etcd_return HOW: it is back, with its data.
etcd_return() {
	# shellcheck disable=SC2086 # words
	case $1 in
	killed) etcd_run $etcd_again ;;
	stopped) kill -CONT "$etcd_pid" ;;
	esac
	etcd_await "$etcd_endpoint"
}

# etcd_three NAME [ARG...]: a cluster of three; etcd_endpoints is a list, and etcd_three
# their processes, in the same order.
etcd_three() {
	etcd_prefix=$1
	shift
	etcd_more=$*
	# shellcheck disable=SC2046 # six words
	set -- $(free_ports 6)
	etcd_ports="$1:$4 $2:$5 $3:$6"
	etcd_endpoints=127.0.0.1:$1,127.0.0.1:$2,127.0.0.1:$3
	etcd_three=
	for member in 1 2 3; do
		etcd_member $member
		etcd_three="$etcd_three $etcd_pid"
	done
}

# etcd_member NUMBER: starts one of three, also again; etcd_pid is the process.
etcd_member() {
	port=$(echo "$etcd_ports" | cut -d ' ' -f "$1")
	# shellcheck disable=SC2086 # words
	set -- "$etcd_prefix$1" "${port%:*}" "${port#*:}" $etcd_more
	cluster='' number=0
	for port in $etcd_ports; do
		number=$((number + 1))
		cluster="$cluster,$etcd_prefix$number=http://127.0.0.1:${port#*:}"
	done
	etcd_run "$@" --initial-cluster "${cluster#,}"
}

# etcd_stop PID...: those that we started, by their number; a stopped one too.
etcd_stop() {
	for pid in "$@"; do
		case " $etcd_pids " in
		*" $pid "*) ;;
		*) continue ;;
		esac
		kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
		etcd_pids=$(echo " $etcd_pids " | sed "s/ $pid / /")
	done
}
etcd_stop_all() {
	# shellcheck disable=SC2086 # words
	etcd_stop $etcd_pids
}
