#!/bin/sh
# The processes of one host share a lease, by a file with a place for each.  No place stays
# taken, whatever became of its process; servers that are away for longer than the lease's
# time; who is stopped while it is the first in line; and servers that share an address.
# usage: host.sh PARTICIPANT PLACES ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
participant=$(readlink -f "$1") places=$(readlink -f "$2") etcd=$3 tree=$4
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/people.sh"

etcd_one one
etcd_await "$etcd_endpoint"
export ETCDCTL_ENDPOINTS="$etcd_endpoint"

# taken COUNT TTL: so many places in the file of here.
taken() {
	[ "$("$places" "$work"/host-here/.etcd*-"$2"-*)" = "$1" ] ||
		! "$places" "$work"/host-here/.etcd*-"$2"-*
}

# --- who cannot open a line leaves nothing behind; nobody is there who would clear it up
host=here
WICKET_DIR=$work/host-here
export WICKET_DIR
mkdir "$WICKET_DIR"
ctl put wicket/garbage/w garbage >"$work/put"
# five_times TEXT ARG...: a participant, which is refused.
five_times() {
	for _ in 1 2 3 4 5; do
		refused "$@" --ttl 7 || return
	done
}
check "a line that cannot be read" five_times "Protocol error" garbage 1
check "no live key is left" count_is garbage live 0
check "no place stays taken by it" taken 0 7
check "a line that is not there" five_times "No such file" none 0
check "no place stays taken by that either" taken 0 7
begin slots-1 slots 1
check "a line of one slot" finish 0 slots-1
check "which was to have two" five_times "File exists" slots 2 --ttl 7
check "nor does one stay taken by that" taken 0 7

# --- nor does who was told that its lease has ended
revoke() {
	ctl lease revoke "$(keys "$1" | sed -n 's,^live/\([0-9a-f]*\)-.*,\1,p')"
}
begin ended ended 1 --hold 600000 --ttl 3
check "one holds a slot with a lease" enter ended
check "somebody ends that" revoke ended
check "the holder learns it" finish 76 ended
check "its place is nobody's" taken 0 3

# --- all servers are away for longer than the lease's time
# lost NAME...: they say so, and end.
lost() {
	for who in "$@"; do
		soon test -e "$work/$who.code" && grep -q " lost" "$work/$who.log" ||
			! cat "$work/$who.log" || return
	done
}
not_in() {
	for who in "$@"; do
		is_out "$who" || return
	done
}
# is_told NAME: it has got in after all, or it was told that it has lost its place.
is_told() {
	grep -qE " (in|lost)( |$)" "$work/$1.log"
}
for how in killed stopped; do
	for i in 1 2 3; do
		begin $how-$i $how 3 --hold 600000 --ttl 2
	done
	check "three hold slots ($how)" enter $how-1 $how-2 $how-3
	begin $how-4 $how 3 --hold 600000 --ttl 2
	begin $how-5 $how 3 --hold 600000 --ttl 2 --persist
	check "two wait ($how)" wait_for $how 2
	etcd_leave $how
	check "the server is $how: the holders say that they have lost their slots" \
		lost $how-1 $how-2 $how-3
	sleep 1 # beyond the end of the lease
	check "and nobody has got in" not_in $how-4 $how-5
	check "it is back ($how)" etcd_return $how
	check "who waited gets in, or is told" soon is_told $how-4
	check "and whoever persists gets in ($how)" enter $how-5
	kill -TERM "$(cat "$work/$how-4.pid")" 2>/dev/null
	check "both end ($how)" soon test -e "$work/$how-4.code"
	check "as they are told to ($how)" leave $how-5
	begin $how-6 $how 3 --hold 600000 --ttl 2 --units 3
	check "all slots can be had ($how)" enter $how-6
	check "of all places one is taken ($how)" soon taken 1 2
	check "which is given back ($how)" leave $how-6
	check "so that none is ($how)" taken 0 2
	check "never more than three ($how)" judged 3 any $how --lossy
done

# --- the first in line is stopped, alone on its host: its lease ends
host=
begin alone-1 alone 1 --hold 600000 --ttl 2
check "one holds a slot" enter alone-1
begin alone-2 alone 1 --hold 600000 --ttl 2
check "one is first in line" wait_for alone 1
begin alone-3 alone 1 --hold 600000 --ttl 2
check "one is second" wait_for alone 2
strike STOP alone-2
strike KILL alone-1
check "the first is stopped, the holder killed: the second gets in" enter alone-3
kill -CONT "$(cat "$work/alone-2.pid")"
check "the first learns that it has lost its place" finish 76 alone-2
check "the second leaves" leave alone-3

# --- the same, but others of its host keep its lease: it has its turn, and keeps it, and
# those behind look for the dead in its place
host=here
begin keeper keeper 1 --hold 600000 --ttl 2
check "somebody keeps the lease of a host" enter keeper
host=
for i in 1 2; do
	begin kept-$i kept 2 --hold 600000 --ttl 2
done
check "two hold slots, on other hosts" enter kept-1 kept-2
host=here
begin kept-3 kept 2 --hold 600000 --ttl 2
check "one of that host is first in line" wait_for kept 1
host=
for i in 4 5; do
	begin kept-$i kept 2 --hold 600000 --ttl 2
	check "another waits ($i)" wait_for kept $((i - 2))
done
kill -STOP "$(cat "$work/kept-3.pid")"
strike KILL kept-1
strike KILL kept-2
check "the first is stopped, both holders killed: the second gets in" enter kept-4
check "one slot is the first one's" says kept '"slots":[0,1]'
check "the third waits for it" wait_for kept 1
check "and is not in" not_in kept-5
kill -CONT "$(cat "$work/kept-3.pid")"
check "the first goes on, and is in" enter kept-3
check "it leaves" leave kept-3
check "the third gets in" enter kept-5
check "they leave, too" leave kept-4 kept-5 keeper
check "in order, and never more than two" judged 2 any kept
check "nothing is left" empty kept

# --- addresses
twice() {
	ETCDCTL_ENDPOINTS=$etcd_endpoint,$etcd_endpoint quietly twice 1
}
check "an address that is given twice" twice

# Two machines, as namespaces: in each of them "its" programs are wrappers of ours.
# space NUMBER: the programs that run there are in $work/space-NUMBER.
space() {
	mkdir "$work/space-$1"
	# shellcheck disable=SC2016 # for the other shell
	nsenter -t "$user" -U --preserve-credentials unshare -n -m sh -c '
		ip link set lo up && mount --bind "$1/hosts" /etc/hosts &&
			echo $$ >"$0" && exec sleep 1000' "$work/space-$1/pid" "$work" &
	etcd_pids="$etcd_pids $!"
	soon test -s "$work/space-$1/pid" || return
	for program in "$participant" "$etcd" "${etcd%/*}/etcdctl"; do
		wrapper=$work/space-$1/${program##*/}
		printf '#!/bin/sh\nexec nsenter -t %s -U -n -m --preserve-credentials %s "$@"\n' \
			"$(cat "$work/space-$1/pid")" "$program" >"$wrapper"
		chmod +x "$wrapper"
	done
}
# go_to NUMBER: what runs from now on runs there.
go_to() {
	participant=$work/space-$1/${participant##*/} etcd=$work/space-$1/${etcd##*/}
}
files_are() {
	[ "$(find "$work/host-here" -name ".etcd*-$2-*" | wc -l)" = "$1" ]
}
if unshare -Urnm ip link set lo up 2>/dev/null; then
	printf '127.0.0.1 localhost\n127.0.0.2 both\n127.0.0.1 both\n' >"$work/hosts"
	unshare -Ur sleep 1000 &
	user=$!
	etcd_pids="$etcd_pids $user"
	is_apart() {
		[ "$(readlink "/proc/$user/ns/user")" != "$(readlink /proc/self/ns/user)" ]
	}
	check "namespaces" soon is_apart
	check "a machine" space 1
	check "and another" space 2
	# shellcheck disable=SC2046 # two words
	set -- $(free_ports 2)
	host=here etcd_endpoint=127.0.0.1:$1
	export ETCDCTL_ENDPOINTS="$etcd_endpoint"
	for i in 1 2; do
		go_to $i
		etcd_run same-$i "$1" "$2" --initial-cluster "same-$i=http://127.0.0.1:$2"
		etcd_await "$etcd_endpoint"
		begin same-$i same 1 --hold 600000 --ttl 5
		check "a server with the same address ($i): its slot can be had" enter same-$i
	done
	check "they share no lease" files_are 2 5
	check "and both have their slots to the end" leave same-1 same-2
	export ETCDCTL_ENDPOINTS="both:$1"
	begin both both 1
	check "a name of two addresses, of which one has no server" finish 0 both
else
	skip "servers that share an address" "there are no namespaces here"
fi
done_testing
