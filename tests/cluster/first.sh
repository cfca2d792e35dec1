#!/bin/sh
# wicket with --store when the server that is named first does not answer, or what is there
# closes each connection: the other servers get their part of the time, and nobody is asked
# without pause.
# usage: first.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"
. "$tree/tests/cluster/network.sh"

# lists LINE
lists() {
	on list >out 2>&1
	cat out
	grep -q " $1\$" out
}
# all_well HOW: each of them once, with a host whose lease is new and one that has one.
all_well() {
	for how in "$1" "$1, once more"; do
		check "run ($how)" gives 0 run first true
		check "run -n ($how)" gives 0 run -n first true
		check "status ($how)" shows first " 0 waiting"
		check "list ($how)" lists first
		check "rm ($how)" gives 0 rm first
	done
}

etcd_three m
etcd_await "$etcd_endpoints"
store=etcd://$etcd_endpoints
all_well "all are there"
# shellcheck disable=SC2086 # words
set -- $etcd_three
begin holder -j 1 held
check "one holds" enter holder
kill -STOP "$1"
etcd_await "${etcd_endpoints#*,}"
check "the first is stopped: who holds leaves" leave holder
check "and the line can be removed" gives 0 rm held
all_well "the first is stopped"
WICKET_DIR=$work/there
all_well "the first is stopped, another host"
kill -CONT "$1"
etcd_await "$etcd_endpoints"

# shellcheck disable=SC2046 # one word
set -- $(free_ports 1)
etcd_dropping "$1"
check "what drops packets is there" soon test -e dropping
store=etcd://127.0.0.1:$1,$etcd_endpoints
all_well "the first drops packets"
etcd_stop_all

# One that has a slot gives it back: it asks until its lease has ended.
etcd_one one
etcd_await "$etcd_endpoint"
check "a proxy is there" begin_network
store=etcd://$proxy_endpoint
begin busy -j 1 --ttl 5 busy
check "one holds" enter busy
check "connections are closed at once from now on" network close=1
touch busy.end
check "it ends" soon test -e busy.code
closed() {
	count=$(grep -c "^close " "$proxy_log")
	echo "$count connections"
	[ "$count" -ge 3 ] && [ "$count" -le 300 ]
}
check "and has not asked without pause" closed
done_testing
