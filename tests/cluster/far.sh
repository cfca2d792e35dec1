#!/bin/sh
# A line in a store, and participants that are far away from it: they are answered late, or
# not at all, or die on the way, or the line is removed meanwhile.
# usage: far.sh PARTICIPANT IDLE ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
participant=$1 idle=$2 etcd=$3 tree=$4
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/people.sh"
. "$tree/tests/cluster/network.sh"

etcd_one one
etcd_await "$etcd_endpoint"
check "a proxy is there" begin_network 1

# --- one that is far, while another one, who is near, comes and goes without a pause
near() {
	ETCDCTL_ENDPOINTS=$etcd_endpoint begin "$@"
}
far() {
	ETCDCTL_ENDPOINTS=$proxy_endpoint begin "$@"
}
times_in() {
	[ "$(grep -c " in " "$work/$1.log")" -ge "$2" ] || ! wc -l "$work/$1.log"
}
# stop NAME: it is told to, and ends, wherever it is.
stop() {
	kill -TERM "$(cat "$work/$1.pid")" && soon test -e "$work/$1.code"
}
check "what is sent through it takes some time" network late-request=1 least=0.02 pause=0.04
for k in 1 3; do
	near near-$k far-$k $k --rounds 1000000
	check "one is near, and is often in a line of $k" soon times_in near-$k 50
	far far-$k far-$k $k --rounds 10
	check "one is far, and in ten times meanwhile" finish 0 far-$k
	check "the near one goes on" soon times_in near-$k 150
	check "and ends when it is told to" stop near-$k
	check "never more than $k, in order" judged $k any far-$k
	check "nothing is left of a line of $k" empty far-$k
done

near_gets() {
	ETCDCTL_ENDPOINTS=$etcd_endpoint quietly "$1" 0 --wait 30000
}

# --- handles that are kept, and do what they are told by $work/steps
mkfifo "$work/steps"
# handle NAME K [TTL]: a handle by way of the proxy
handle() {
	handle=$1
	mkdir -p "$work/host-$1"
	(
		WICKET_DIR=$work/host-$1 ETCDCTL_ENDPOINTS=$proxy_endpoint exec "$idle" \
			"$1" "$2" "${3-1000}" <"$work/steps" >"$work/$1.said" 2>&1
	) &
	handle_pid=$!
	etcd_pids="$etcd_pids $handle_pid"
	exec 8>"$work/steps"
	soon said open: 'done'
}
# said WORD...: the last thing.
said() {
	[ "$(tail -n 1 "$work/$handle.said")" = "$*" ]
}
# does WORDS STEP...: it says that of the step.
does() {
	words=$1
	shift
	echo "$*" >&8
	soon said "$1: $words" || ! cat "$work/$handle.said"
}
# ends: it closes the handle, and all that it had.
ends() {
	does "done" close
	exec 8>&-
	wait "$handle_pid"
}
txn=only=/v3/kv/txn

# knows LINE K [TTL]: a handle that takes it that it knows the line, because each answer to it
# took a second.
knows() {
	network late-request=1 least=1 pause=1 "$txn" && handle "$@"
}

check "a handle of a line of one slot" knows late 1
check "the next answer is lost" network lose-reply=1 "$txn" most=1
check "it gives up when its time is over" does "Connection timed out" acquire 300
check "the answer was lost" happened lose-reply 1 /v3/kv/txn
check "it had got in" says late '"grants":1,'
check "it has nothing: another one gets in" near_gets late
check "and it has nothing to give back" does "Operation not permitted" release
check "nor does it keep the slot when it is asked again" does "done" acquire 0
check "which it gives back" does "done" release
check "it ends" ends
check "and nothing is left of it" empty late

check "another handle" knows lost 1
check "two answers are lost" network lose-reply=1 "$txn" most=2
check "it gives up as well" does "Connection timed out" acquire 300
check "it could not learn that it had got in" says lost '"slots":[0]'
check "it is closed" ends
check "and has given back what it did not know of" empty lost

# --- one that dies when it has announced something, and has no seat yet
has_no() {
	[ -z "$(ctl get --prefix "wicket/$1/")" ] || ! all "$1"
}
remove() {
	ETCDCTL_ENDPOINTS=$etcd_endpoint quietly --remove "$1" 0
}
# announces LINE [TTL]: its TAKE is refused, because somebody else was there since it read W;
# it reads all, and announces itself:
# what it sends after that is lost.  Then it is killed.
announces() {
	knows "$1" 1 "${2-1000}" && near_gets "$1" && network lose-request=1 "$txn" after=3 || return
	echo acquire 0 >&8
	soon count_is "$1" ask 1 || return
	kill -KILL "$handle_pid"
	exec 8>&-
	network "" && count_is "$1" ask 1 && count_is "$1" seat 0 ||
		! ctl get --prefix "wicket/$1/"
}
check "one announces itself, and is killed" announces dead 4
check "its lease ends" soon count_is dead live 0
check "its announcement is left" count_is dead ask 1
check "the line can be removed" soon remove dead
check "nothing is left of it" has_no dead
check "another one is killed as well" announces buried
check "another handle of its host is opened" handle buried 1
check "which finds that it is dead" soon count_is buried live 1
check "and withdraws what it has announced" soon count_is buried ask 0
check "it has no seat" count_is buried seat 0
check "the other one is closed" ends
check "nothing is left of the announcement" empty buried

# --- a line that was removed
check "all is well again" network
check "a handle of a line that is then removed" handle gone 2
check "it is removed" does "done" remove
for i in 1 2 3; do
	check "it has another number of slots no more ($i)" does "Stale file handle" resize 3
done
check "nothing was written" has_no gone
check "the handle can be closed" ends
done_testing
