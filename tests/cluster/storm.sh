#!/bin/sh
# Storms on a line in a store: whoever takes part may be killed or stopped at any moment,
# while the network is bad, or servers are killed and stopped.  And what a fence is for.
# usage: storm.sh PARTICIPANT ETCD SOURCE-DIR [KILLS FAULTS]
#        so many of each storm's clients are struck, and so many times servers are
# SEED is that of the moments and the victims.
# shellcheck disable=SC2317 # functions are called by check
participant=$1 etcd=$2 tree=$3 kills=${4:-9} faults=${5:-3}
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/people.sh"
. "$tree/tests/cluster/network.sh"
seed=${SEED:-$(date +%s)}
echo "# SEED=$seed"

# random COUNT: number is less than that.
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	number=$((seed / 65536 % $1))
}

# --- a crowd on $line, by $addresses, each beginning with another one
addresses=
# storm_on LINE COUNT HOLD: a new crowd of so many, who hold so many milliseconds.
storm_on() {
	line=$1 hired=0 strikes=0 crowd='' stopped='' hold=$3
	for _ in $(seq "$2"); do hire; done
}
by_turns() {
	# shellcheck disable=SC2086 # words
	set -- $addresses
	number=$((hired % $#))
	while [ $((number -= 1)) -ge 0 ]; do
		set -- "$@" "$1"
		shift
	done
	echo "$*" | tr ' ' ,
}
# hire: one more, who stays until it is told to leave, whatever happens to its lease.
hire() {
	hired=$((hired + 1))
	ETCDCTL_ENDPOINTS=$(by_turns)
	export ETCDCTL_ENDPOINTS
	begin "$line-$hired" "$line" 3 --rounds 1000000 --ttl 2 --persist \
		--units $((1 + hired % 3 / 2)) --hold "$hold"
	crowd="$crowd $line-$hired"
}
# holder: victim is one that holds slots, by the last that it said.
holder() {
	for victim in $crowd; do
		! tail -n 1 "$work/$victim.log" | grep -q " deadline " || return 0
	done
	return 1
}
# pick: victim is one of the crowd, and no longer of it; in turn a holder, and any.
pick() {
	# shellcheck disable=SC2086 # words
	set -- $crowd
	random $#
	shift "$number"
	[ $((strikes % 2)) = 0 ] && soon holder || victim=$1
	crowd=$(echo "$crowd " | sed "s/ $victim / /; s/ *$//")
}
# storm COUNT: so many are killed, or stopped, at random moments; others come.
storm() {
	for _ in $(seq "$1"); do
		random 700
		sleep "$(printf 0.%03d "$number")"
		pick
		strikes=$((strikes + 1))
		if [ $((strikes % 5)) = 0 ]; then
			strike STOP "$victim" && stopped="$stopped $victim"
		else
			strike KILL "$victim"
		fi
		hire
	done
}
# expelled NAME: its lease has ended.
expelled() {
	ctl get --prefix "wicket/$line/live/" >"$work/live" &&
		! grep -q "\"pid\":$(cat "$work/$1.pid")[,}]" "$work/live"
}
# wake: whoever was stopped for longer than its lease goes on.
wake() {
	for who in $stopped; do
		soon expelled "$who" && kill -CONT "$(cat "$work/$who.pid")" || return
		crowd="$crowd $who"
	done
	stopped=
}
entries() {
	cat "$work/$line"-*.log | grep -c " in "
}
more_than() {
	[ "$(entries)" -gt "$1" ]
}
# goes_on: some more get in.
goes_on() {
	soon more_than $(($(entries) + 15))
}
# all_back: nobody is there any more, and every slot is.
all_back() {
	begin "$line-all" "$line" 3 --units 3 --hold 600000
	enter "$line-all" || ! ctl get --prefix "wicket/$line/" || return
	# a seat of the dead is taken away by who waits
	begin "$line-last" "$line" 3
	wait_for "$line" 1 && soon count_is "$line" seat 2 &&
		leave "$line-all" && finish 0 "$line-last" && soon empty "$line"
}
any() {
	least=$1
	shift
	judged 3 any "$line-" --lossy --at-least "$least" --cut 2 "$@"
}

# --- the judge, who is told that leases may be lost
lossy() {
	printf '%s\n' "$@" >"$work/story.log"
	python3 "$tree/tests/cluster/judge.py" 1 --lossy --stale 2 "$work/story.log"
}
not_lossy() {
	! lossy "$@"
}
check "a slot that is lost and had by another after the deadline" lossy \
	"1 7 in 0 1:0 5" "1 7 deadline 8" "8 8 in 0 2:0 6" "9 7 lost" "9 8 out"
check "and before" not_lossy \
	"1 7 in 0 1:0 5" "1 7 deadline 8" "7 8 in 0 2:0 6" "9 7 lost" "9 8 out"
check "before, but it was leaving" lossy "1 7 in 0 1:0 5" "1 7 deadline 8" \
	"6 7 leaving" "7 8 in 0 2:0 6" "9 7 lost" "9 8 out"
check "before, by a leader that had been stopped" lossy "1 7 in 0 1:0 5" \
	"1 7 deadline 8" "6 0 stale" "8 8 in 0 2:0 6" "9 7 lost" "9 8 out"
check "but not long after it" not_lossy "1 7 in 0 1:0 5" "1 7 deadline 8" \
	"4 0 stale" "7 8 in 0 2:0 6" "9 7 lost" "9 8 out"
check "nor with a fence that is no greater" not_lossy "1 7 in 0 1:0 5" \
	"1 7 deadline 8" "6 0 stale" "7 8 in 0 2:0 5" "9 7 lost" "9 8 out"
check "nor of one that was not lost" not_lossy "1 7 in 0 1:0 5" \
	"1 7 deadline 8" "6 0 stale" "7 8 in 0 2:0 6" "9 7 out" "9 8 out"

etcd_one one
one=$etcd_pid
etcd_await "$etcd_endpoint"
export ETCDCTL_ENDPOINTS="$etcd_endpoint"

# --- a resource that looks at the fence, and one that does not
# stopped_writer NAME [ARG...]: a holder is stopped, another gets in, the first goes on.
stopped_writer() {
	name=$1
	shift
	set -- "$name" 1 --hold 600000 --ttl 2 --write "$work/$name.file" "$@"
	begin "$name-old" "$@"
	enter "$name-old" || return
	begin "$name-new" "$@"
	wait_for "$name" 1 && strike STOP "$name-old" && enter "$name-new" || return
	soon grep -q wrote "$work/$name-new.log" || return
	kill -TERM "$(cat "$work/$name-old.pid")"
	kill -CONT "$(cat "$work/$name-old.pid")"
	finish 76 "$name-old" && leave "$name-new"
}
# writes NAME WORD COUNT: so many of its writes were accepted, or refused.
writes() {
	[ "$(grep -c " $2 " "$work/$1.log")" = "$3" ] || ! cat "$work/$1.log"
}
in_order() {
	sort -n -c "$work/$1.file"
}
not_in_order() {
	! in_order "$1"
}
check "a holder is stopped past its lease, and goes on" stopped_writer fence
check "it wrote before" writes fence-old wrote 1
check "its late write is refused" writes fence-old refused 1
check "all of the new holder's are accepted" writes fence-new wrote 2
check "so that no fence is less than one before" in_order fence
check "the same with a resource that does not look" stopped_writer none --heedless
check "the late write gets in" writes none-old wrote 2
check "after one of the new holder" not_in_order none

# --- all give up at once, while they let each other in
addresses=$etcd_endpoint
for round in 1 2 3; do
	storm_on "rush$round" 16 0
	check "sixteen come and go at once ($round)" goes_on
	# shellcheck disable=SC2086 # words
	check "and all leave at once ($round)" leave $crowd
	check "all slots are back ($round)" all_back
done

# --- a bad network
check "a proxy is there" begin_network "$seed"
addresses=$proxy_endpoint
check "the network is bad" network lose-request=0.01 lose-reply=0.01 \
	late-request=0.01 late-reply=0.01 twice=0.04 twice-late=0.04 \
	cut-request=0.01 cut-reply=0.01 cut-watch=0.3 mute-watch=0.3
storm_on network 8 150
storm "$kills"
check "some are killed; others stopped, and they go on" wake
# shellcheck disable=SC2086 # words
check "everybody gets in" enter $crowd
check "and so on" goes_on
for fault in lose-request lose-reply late-request late-reply twice twice-late \
	cut-request cut-reply cut-watch mute-watch; do
	check "$fault has happened" soon happened $fault
done
# shellcheck disable=SC2086 # words
check "everybody leaves when it is told to" leave $crowd
check "the network is good" network
check "all slots are back, and nothing else is there" all_back
check "never more than three, in order, with growing fences" any 30
check "the proxy has nothing to say" test ! -s "$work/proxy.err"
etcd_stop "$proxy" "$one"

# --- three servers
etcd_three three
etcd_await "$etcd_endpoints"
etcd_endpoint=$etcd_endpoints
addresses=$(echo "$etcd_endpoints" | tr , ' ')
# leads: the number of the one that says it does.
leads() {
	# shellcheck disable=SC2086 # words
	python3 -c 'import json, sys, urllib.request
for number, address in enumerate(sys.argv[1:], 1):
    try:
        with urllib.request.urlopen(f"http://{address}/v3/maintenance/status", b"{}",
                                    timeout=1) as answer:
            status = json.load(answer)
        if status["leader"] == status["header"]["member_id"]:
            print(number)
            break
    except (OSError, KeyError, ValueError):
        pass' $addresses
}
another_leads() {
	now=$(leads)
	[ -n "$now" ] && [ "$now" != "$1" ]
}
# process NUMBER: its process.
process() {
	echo "$etcd_three" | tr -s ' ' '\n' | sed -n "$(($1 + 1))p"
}
# leader_killed: while it is away another one leads; then it starts again.
leader_killed() {
	leader=$(leads)
	etcd_stop "$(process "$leader")"
	storm "$1"
	soon another_leads "$leader" && goes_on
	code=$?
	old=$(process "$leader")
	etcd_member "$leader"
	etcd_three=$(echo "$etcd_three " | sed "s/ $old / $etcd_pid /; s/ *$//")
	etcd_await "$etcd_endpoints"
	return "$code"
}
# leader_stopped: until another one leads, and then it goes on, and may end leases that are
# alive: the judge is told.
leader_stopped() {
	leader=$(leads)
	kill -STOP "$(process "$leader")"
	storm "$1"
	soon another_leads "$leader" && goes_on
	code=$?
	look_at_clock
	echo "$now 0 stale" >>"$work/$line-servers.log"
	kill -CONT "$(process "$leader")"
	etcd_await "$etcd_endpoints"
	return "$code"
}
# member_stopped: one that does not lead, and a third of the clients began with.
member_stopped() {
	member=$(($(leads) % 3 + 1))
	kill -STOP "$(process "$member")"
	storm "$1"
	goes_on
	code=$?
	kill -CONT "$(process "$member")"
	etcd_await "$etcd_endpoints"
	return "$code"
}
# of_three WHAT: the storm goes on.
of_three() {
	leader=
	"$1" $((kills / faults)) && goes_on && wake && [ -n "$leader$member" ]
}
storm_on three 8 150
check "three servers" goes_on
for fault in $(seq "$faults"); do
	case $((fault % 3)) in
	1) check "the leader is killed, and starts again ($fault)" of_three leader_killed ;;
	2) check "the leader is stopped, and goes on ($fault)" of_three leader_stopped ;;
	0) check "a member is stopped, and goes on ($fault)" of_three member_stopped ;;
	esac
done
# shellcheck disable=SC2086 # words
check "everybody gets in, with three" enter $crowd
# shellcheck disable=SC2086 # words
check "and leaves when it is told to" leave $crowd
check "all slots are back with three, and nothing else is there" all_back
check "never more than three, in order, with growing fences, with three" any 30 \
	--stale 3000000000
done_testing
