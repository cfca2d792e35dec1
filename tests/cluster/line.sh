#!/bin/sh
# A line in a store, and those who take part in it: alone, many, for several units, those
# who give up, are killed or stopped, and keys that are not a line's.
# usage: line.sh PARTICIPANT ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
participant=$1 etcd=$2 tree=$3
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"

. "$tree/tests/cluster/people.sh"

# --- the judge itself: a story that is good, and what is wrong with others
# story K LINE...: what the judge says of it.
story() {
	k=$1
	shift
	printf '%s\n' "$@" >"$work/story.log"
	python3 "$tree/tests/cluster/judge.py" "$k" "$work/story.log"
}
# wrong TEXT K LINE...: the judge says that.
wrong() {
	text=$1
	shift
	! story "$@" >"$work/verdict" && grep -F "$text" "$work/verdict"
}
check "one after the other" \
	story 1 "1 7 in 0 1:0 5" "2 7 out" "2 8 in 0 2:0 6" "3 8 out"
check "two in one slot would be seen" \
	wrong twice 2 "1 7 in 0 1:0 5" "2 8 in 0 2:0 6" "3 7 out" "4 8 out"
check "more than k" \
	wrong "2 slots held" 1 "1 7 in 0 1:0 5" "2 8 in 1 2:0 6" "3 7 out" "4 8 out"
check "a fence that is no greater" \
	wrong "no greater fence" 1 "1 7 in 0 1:0 5" "2 7 out" "3 8 in 0 2:0 5" "4 8 out"
check "somebody who is overtaken" \
	wrong overtaken 2 "1 7 in 0 0:1 5" "2 8 in 1 9:0 6" "3 7 out" "4 8 out"
check "one transaction for two" \
	story 2 "2 7 in 0 2:0 5" "1 8 in 1 1:0 5" "3 7 out" "4 8 out"
check "one who was killed, after its deadline" \
	story 1 "1 7 in 0 1:0 5" "2 7 deadline 9" "3 7 killed" "9 8 in 0 2:0 6" "9 8 out"
check "and before" wrong twice 1 "1 7 in 0 1:0 5" "2 7 deadline 9" "3 7 killed" \
	"8 8 in 0 2:0 6" "9 8 out"
check "one who is dead, before its deadline" story 1 "1 7 in 0 1:0 5" \
	"2 7 deadline 9" "3 7 dead" "4 8 in 0 2:0 6" "5 8 out"
check "but not before it was killed" wrong twice 1 "1 7 in 0 1:0 5" \
	"2 7 deadline 9" "4 8 in 0 2:0 6" "5 7 dead" "6 8 out"
check "one who never leaves" wrong "never came out" 1 "1 7 in 0 1:0 5"
check "one who loses its slot unawares" \
	wrong "has lost" 1 "1 7 in 0 1:0 5" "2 7 lost"

etcd_one one
etcd_await "$etcd_endpoint"
export ETCDCTL_ENDPOINTS="$etcd_endpoint"

# --- who comes in peace
begin alone alone 1 --rounds 3
check "one alone, three rounds" finish 0 alone
check "three grants" judged 1 3 alone
check "nothing is left" empty alone
check "no such line" refused "No such file" none 0
check "and there is none now" test -z "$(all none | grep -F kvs)"

for i in 1 2 3 4 5 6 7 8; do
	begin many-$i many 3 --rounds 5 --hold 5
done
check "eight, five rounds each" finish 0 many-1 many-2 many-3 many-4 many-5 \
	many-6 many-7 many-8
check "forty grants, never more than three, in order" judged 3 40 many
check "nothing is left of eight" empty many

for i in 1 2; do
	begin units-two-$i units 3 --rounds 4 --hold 5 --units 2
done
for i in 1 2 3 4; do
	begin units-$i units 3 --rounds 5 --hold 5
done
check "two units each, among single ones" \
	finish 0 units-two-1 units-two-2 units-1 units-2 units-3 units-4
check "all got in, in order" judged 3 28 units
check "nothing is left of units" empty units
check "more units than slots" \
	unchanged units refused "Invalid argument" units 3 --units 4
check "no units" unchanged units refused "Invalid argument" units 3 --units 0
check "another number of slots" \
	unchanged units refused "File exists" units 4
check "as many slots as there are" quietly units 0

# --- who does not wait
begin try-holder try 1 --hold 600000
check "one holds it" enter try-holder
check "another tries" not_got try 1 --try
check "it has left nothing" count_is try seat 1
check "not in the line either" count_is try line 0
check "the slot is given back" leave try-holder
check "then it can be had" quietly try 1 --try
check "nothing is left of those who tried" empty try

begin wait-1 wait 1 --hold 600000
check "one holds it for long" enter wait-1
begin wait-2 wait 1 --wait 1000
check "another waits" wait_for wait 1
begin wait-3 wait 1 --hold 600000
check "and gives up" finish 75 wait-2
check "a third waits" wait_for wait 1
begin wait-4 wait 1 --hold 600000
check "so does a fourth" wait_for wait 2
kill -TERM "$(cat "$work/wait-4.pid")"
check "until it is told not to" finish 75 wait-4
check "its ticket is given back" wait_for wait 1
check "the first leaves" leave wait-1
check "the third gets in" enter wait-3
check "and leaves" leave wait-3
check "nobody was overtaken" judged 1 2 wait
check "nothing is left of those who gave up" empty wait

# --- who is killed
begin dead-1 dead 2 --hold 600000 --ttl 2
begin dead-2 dead 2 --hold 600000
check "two hold slots" enter dead-1 dead-2
begin dead-3 dead 2 --hold 600000 --ttl 2
check "a third waits for one" wait_for dead 1
strike KILL dead-1
check "a holder is killed, and the third gets in" enter dead-3
check "its keys are gone" soon count_is dead seat 2
check "also the one of its lease" soon count_is dead live 2
check "both leave" leave dead-2 dead-3
begin dead-4 dead 2 --hold 600000
begin dead-5 dead 2 --hold 600000
check "no slot was lost" enter dead-4 dead-5
check "they leave as well" leave dead-4 dead-5
check "never more than two" judged 2 5 dead
check "nothing is left of the dead" empty dead

# queue NAME: one holds, three wait, one after the other.
queue() {
	begin "$1-0" "$1" 1 --hold 600000 --ttl 2
	enter "$1-0" || return
	for i in 1 2 3; do
		begin "$1-$i" "$1" 1 --hold 600000 --ttl 2
		wait_for "$1" "$i" || return
	done
}
check "three wait" queue middle
strike KILL middle-2
check "the second is killed, and no longer waits" wait_for middle 2
check "it has no seat" soon count_is middle seat 3
check "the holder leaves" leave middle-0
check "the first gets in" enter middle-1
check "and leaves, too" leave middle-1
check "then the third gets in" enter middle-3
check "so that all leave" leave middle-3
check "in order, without the second" judged 1 3 middle
check "nothing is left of the second" empty middle

check "three wait again" queue first
strike KILL first-1
check "the first is killed, and no longer waits" wait_for first 2
check "the slot is left" leave first-0
check "the second gets in" enter first-2
check "it leaves" leave first-2
check "the third gets in, too" enter first-3
check "so it is the last" leave first-3
check "in order, without the first" judged 1 3 first
check "nothing is left of the first" empty first

# a whole line of the dead: a slot, and a place in the line
check "three wait once more" queue grave
strike KILL grave-0
strike KILL grave-1
check "the holder and the first are killed: the second gets in" enter grave-2
check "who leaves" leave grave-2
check "after it the third" enter grave-3
check "who leaves as well" leave grave-3
check "in order, with the dead" judged 1 3 grave
check "nothing is left of them" empty grave

# --- one lease for a host: what dies there is found by the others, long before the lease
# could end
leases() {
	[ "$(keys "$1" | sed -n 's,^live/\([0-9a-f]*\)-.*,\1,p' | sort -u | wc -l)" = "$2" ]
}
host=here
begin here-1 here 1 --hold 600000 --ttl 1000
check "somebody of a host holds it" enter here-1
begin here-2 here 1 --hold 600000 --ttl 1000
check "somebody of the same waits" wait_for here 1
begin here-3 here 1 --hold 600000 --ttl 1000
check "and a third" wait_for here 2
check "they have one lease" leases here 1
strike KILL here-2 dead
check "who is killed waits no longer" wait_for here 1
strike KILL here-1 dead
check "and what it held is another's" enter here-3
check "their keys are gone" count_is here seat 1
check "the last one leaves" leave here-3
check "never two of that host" judged 1 2 here
check "nothing is left of it" empty here
begin again here 1 --hold 600000 --ttl 1000
check "the lease is still there for the next" enter again
host=there
begin other here 1 --hold 600000 --ttl 1000
check "somebody of another host waits" wait_for here 1
check "with another lease" leases here 2
check "one leaves, and the other gets in" leave again
check "which it does" enter other
check "and goes, too" leave other
revoke() {
	ctl lease revoke "$(keys here | sed -n 's,^live/\([0-9a-f]*\)-.*,\1,p')"
}
host=here
begin revoked here 1 --hold 600000 --ttl 1000
check "one holds it with the first lease" enter revoked
check "somebody revokes that" revoke
begin instead here 1 --hold 600000 --ttl 1000
check "whoever comes then has another, and finds the dead" enter instead
# by its deadline, or when it leaves
kill -TERM "$(cat "$work/revoked.pid")" 2>/dev/null
check "who learns that it is" finish 76 revoked
check "which changes nothing for the other" leave instead
check "nothing is left of either" empty here

held_by_another() {
	! flock -n "$work"/host-here/.etcd* true
}
# somebody has stopped while it locks the file of the lease: that delays nobody for long
(
	flock 9
	exec sleep 1000
) 9<"$(echo "$work"/host-here/.etcd*)" &
locker=$!
soon held_by_another
begin alone-1 here 1 --hold 600000 --ttl 1000
check "the file cannot be locked: it gets in nevertheless" enter alone-1
kill $locker
begin alone-2 here 1 --hold 600000 --ttl 1000
check "a second one waits" wait_for here 1
check "they do not share a lease" leases here 2
check "one gives way to the other" leave alone-1
check "who gets in" enter alone-2
check "and out" leave alone-2
host=nowhere
: >"$work/host-nowhere"
begin nowhere here 1 --hold 600000
check "there is no directory for a file: it gets in nevertheless" enter nowhere
check "and leaves as the others do" leave nowhere
check "nothing is left of those alone" empty here
host=

# --- who is stopped
begin stop-1 stop 1 --hold 600000 --ttl 2
check "the first holds it" enter stop-1
begin stop-2 stop 1 --hold 600000 --ttl 2
check "the second waits" wait_for stop 1
strike STOP stop-1
check "the first is stopped until its lease ends: the second gets in" enter stop-2
kill -TERM "$(cat "$work/stop-1.pid")"
kill -CONT "$(cat "$work/stop-1.pid")"
check "the first goes on, and learns what it has lost" finish 76 stop-1
check "the second still has it" says stop '"slots":[0]'
check "and can give it back" leave stop-2
check "with a greater fence" judged 1 2 stop
check "nothing is left of the stopped one" empty stop

begin late-1 late 1 --hold 600000
check "there is a holder" enter late-1
begin late-2 late 1 --hold 600000 --ttl 2
check "there is one who waits" wait_for late 1
begin late-3 late 1 --hold 600000 --ttl 2
check "there are two who wait" wait_for late 2
strike STOP late-2
check "one of them is stopped, and counts no longer" wait_for late 1
kill -CONT "$(cat "$work/late-2.pid")"
check "it learns that it has lost its place" finish 76 late-2
check "the holder goes" leave late-1
check "the other one is let in" enter late-3
check "and goes as well" leave late-3
check "by the order of their tickets" judged 1 2 late
check "nothing is left of who was late" empty late

# --- all of that at once; whoever is struck may be anywhere, or have ended
for i in 1 2 3 4 5 6 7 8 9 10; do
	begin storm-$i storm 3 --rounds 15 --hold 3 --ttl 2 --units $((1 + i % 3 / 2))
done
for i in 2 5 9; do
	sleep 0.3
	strike KILL storm-$i
done
strike STOP storm-4
strike STOP storm-6
check "some are killed and stopped: the others get in" \
	finish 0 storm-1 storm-3 storm-7 storm-8 storm-10
begin storm-11 storm 3 --units 3 --rounds 2 --hold 5
check "no slot is lost in a storm" finish 0 storm-11
for i in 4 6; do
	kill -CONT "$(cat "$work/storm-$i.pid")" 2>/dev/null
done
check "those that were stopped end" \
	soon test -e "$work/storm-4.code" -a -e "$work/storm-6.code"
# a seat of the dead is taken away by who waits
begin storm-12 storm 3 --units 3 --hold 600000
check "one has all slots" enter storm-12
begin storm-13 storm 3
check "one waits, and cleans up" wait_for storm 1
check "only their seats are there" soon count_is storm seat 2
check "who has all slots leaves" leave storm-12
check "who waited comes and goes" finish 0 storm-13
check "never more than three in a storm, and in order" judged 3 any storm
check "nothing is left of a storm" empty storm

# --- more than one transaction reads
begin crowd-0 crowd 26 --units 26 --hold 600000
check "one holds all" enter crowd-0
crowd=
for i in $(seq 26); do
	begin "crowd-$i" crowd 26 --hold 600000 --ttl 4
	crowd="$crowd crowd-$i"
done
check "more wait than one transaction lets in" wait_for crowd 26
check "who holds all leaves" leave crowd-0
# shellcheck disable=SC2086 # words
check "all get in, though nobody else leaves" enter $crowd
# shellcheck disable=SC2086 # words
check "the crowd leaves" leave $crowd
check "never more than there are slots" judged 26 27 crowd
check "nothing is left of the crowd" empty crowd

# --- another number of slots
check "one holds, three wait" queue size
check "no slots any more" quietly --resize size 0
check "the holder is not disturbed" leave size-0
check "nobody holds anything" says size '"slots":[]'
check "all three wait" wait_for size 3
check "the first has not been let in" is_out size-1
check "nor does a new one get in" not_got size 0 --try
check "two slots" quietly --resize size 2
check "two get in" enter size-1 size-2
check "one waits" wait_for size 1
check "and is not in" is_out size-3
check "one of two leaves" leave size-1
check "so it gets in" enter size-3
check "the others leave" leave size-2 size-3
check "never more than two of three" judged 2 4 size
check "nothing is left of any size" empty size
check "and it has two slots" refused "File exists" size 1

# --- keys that are not ours
ctl put wicket/garbage/w garbage >"$work/put"
check "something else" \
	unchanged garbage refused "Protocol error" garbage 1
check "nor is it resized" \
	unchanged garbage refused "Protocol error" --resize garbage 1
value alone/w | sed 's/"format":1/"format":2/' >"$work/other"
ctl put wicket/other/w "$(cat "$work/other")" >"$work/put"
check "another format" \
	unchanged other refused "Protocol not supported" other 1
value alone/w | sed 's/"k":1/"k":-1/' >"$work/less"
ctl put wicket/less/w "$(cat "$work/less")" >"$work/put"
check "less than no slots" \
	unchanged less refused "Protocol error" less 1
done_testing
