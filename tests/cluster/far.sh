#!/bin/sh
# A line in a store, and participants that are far away from it, while others are
# near.
# usage: far.sh PARTICIPANT ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
participant=$1 etcd=$2 tree=$3
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
done_testing
