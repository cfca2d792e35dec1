#!/bin/sh
# wicket with --store while all servers are away, killed or stopped, for less than the
# lease's time and for longer: who waits goes on waiting.
# usage: outage.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"

etcd_one one
etcd_await "$etcd_endpoint"
store=etcd://$etcd_endpoint

# go_on NAME...: they have not ended.
go_on() {
	for who; do
		[ ! -e "$who.code" ] || ! cat "$who.code" "$who.err" || return
	done
}
# crowd NAME TTL: one holds, on another host; one waits with -w, and one without.
crowd() {
	host=there
	begin "$1-0" -j 1 --ttl "$2" "$1"
	enter "$1-0" || return
	host=here
	begin "$1-1" --ttl "$2" -w 600 "$1"
	wait_for "$1" 1 || return
	begin "$1-2" --ttl "$2" "$1"
	wait_for "$1" 2
}
for fault in killed stopped; do
	short=short-$fault long=long-$fault amid=amid-$fault

	check "one holds, two wait ($fault)" crowd "$short" 12
	etcd_leave $fault
	sleep 1
	check "the server was $fault, and is back soon" etcd_return $fault
	check "they have kept their places ($fault)" wait_for "$short" 2
	check "nobody has ended ($fault)" go_on "$short-0" "$short-1" "$short-2"
	check "the holder has its slot to the end ($fault)" leave "$short-0"
	check "the first gets in ($fault)" enter "$short-1"
	check "and leaves ($fault)" leave "$short-1"
	check "so the second gets in ($fault)" enter "$short-2"
	check "and leaves as well ($fault)" leave "$short-2"

	# who is let in, but cannot be told so any more: that it is asked for is in doubt
	check "one holds, two wait once more ($fault)" crowd "$amid" 2
	strike STOP "$amid-1"
	check "the first is stopped, and let in ($fault)" leave "$amid-0"
	check "one holds, two wait for long ($fault)" crowd "$long" 2
	etcd_leave $fault
	strike CONT "$amid-1"
	check "no server: the holder has lost its slot ($fault)" finish 76 "$long-0"
	begin "$long-3" -w 600 "$long"
	check "who comes now says so ($fault)" soon said "$long-3" 1 "still trying"
	check "and who was let in ($fault)" soon said "$amid-1" 1 "still trying"
	check "nobody else has ended ($fault)" \
		go_on "$amid-1" "$amid-2" "$long-1" "$long-2" "$long-3"
	check "the server was $fault, and is back late" etcd_return $fault
	for who in "$amid-1" "$amid-2" "$long-1" "$long-2" "$long-3"; do
		touch "$who.end"
	done
	check "all get in ($fault)" enter "$amid-1" "$amid-2" "$long-1" "$long-2" "$long-3"
	check "and leave ($fault)" finish 0 "$amid-1" "$amid-2" "$long-1" "$long-2" "$long-3"
done
done_testing
