#!/bin/sh
# wicket with --store when the server that is named first does not answer: the others get
# their part of the time.
# usage: first.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"

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
done_testing
