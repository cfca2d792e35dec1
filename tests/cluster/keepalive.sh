#!/bin/sh
# One lost keepalive does not cost the slot, not even with the shortest lease: the guard
# ends a command after eight tenths of its time, and until then another one can be
# answered.  If this machine is busy it may come too late for that: one of five does.
# usage: keepalive.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"
. "$tree/tests/cluster/network.sh"

etcd_one one
etcd_await "$etcd_endpoint"
check "a proxy is there" begin_network
store=etcd://$proxy_endpoint

lost_are() {
	[ "$(grep -c "^$1 /v3/lease/keepalive" "$proxy_log")" = "$2" ]
}
# keeps FAULT NUMBER: one with its slot loses a keepalive, and goes on for longer than its
# lease would last.
keeps() {
	name=$1-$2
	begin "$name" -j 1 --ttl 2 "$name"
	enter "$name" && network "$1=1" only=/v3/lease/keepalive most=1 &&
		soon lost_are "$1" "$2" && sleep 2.5 && leave "$name"
}
one_of_five() {
	for number in 1 2 3 4 5; do
		! keeps "$1" "$number" || return 0
	done
	return 1
}
check "a keepalive that is lost on its way" one_of_five lose-request
check "an answer that is lost on its way" one_of_five lose-reply
done_testing
