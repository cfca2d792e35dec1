#!/bin/sh
# wicket with --store, as a user types it, against real servers: order, units, exit
# codes, signals; wrappers that are killed or stopped, servers that are not there or
# stop; what the other commands show and do; and what is refused.
# usage: tool.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
# shellcheck disable=SC2016 # the commands expand what is in single quotes
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"

etcd_one one
etcd_await "$etcd_endpoint"
store=etcd://$etcd_endpoint one=$etcd_pid

# --- exit codes, environment
check "a command's own exit code" gives 3 run -j 2 first sh -c 'exit 3'
check "killed by a signal" gives 143 run first sh -c 'kill -TERM $$'
check "no such command" says 127 "cannot run no-such" run first no-such
check "not to be executed" says 126 "cannot run" run first "$work/one"
check "environment" prints "first 0 0" run first \
	sh -c 'echo $WICKET_LINE $WICKET_SLOT $WICKET_SLOTS'
check "a ticket and a fence" gives 0 run first \
	sh -c 'test "${WICKET_TICKET#*:}" -ge 0 && test "$WICKET_FENCE" -gt 0'
check "through the shell" prints "0" run first -c 'echo $WICKET_SLOT'
check "two units" prints "0 0,1" run -N 2 first \
	sh -c 'echo $WICKET_SLOT $WICKET_SLOTS'
check "all units" prints "0,1" run --units all first sh -c 'echo $WICKET_SLOTS'
check "the variable of the slots" prints "0,1" run -N 2 --slot-var V first \
	sh -c 'echo $V'
check "mapped" prints "a,c" run -N 2 --slot-var V --map a,c first sh -c 'echo $V'
check "a new line has a slot for each value" prints "x,y,z" \
	run -N all --slot-var V --map x,y,z mapped sh -c 'echo $V'
fences() {
	fence=0
	for _ in 1 2 3 4 5; do
		next=$(on run first sh -c 'echo $WICKET_FENCE') || return
		echo "$fence $next"
		[ "$next" -gt "$fence" ] || return
		fence=$next
	done
}
check "the fence grows" fences
none_within() {
	on run --store "$store" first sh -c 'WICKET_FENCE=1 "$0" run -j 1 inner \
		sh -c "test -z \"\$WICKET_FENCE\""' "$wicket"
}
check "a line on this machine has no fence" none_within
descriptors() {
	ls /proc/self/fd 5</dev/null 9</dev/null >expected
	on run first ls /proc/self/fd 5</dev/null 9</dev/null >out || return
	diff expected out
}
check "a command has the descriptors that it would have had" descriptors
check "-v says it" says 0 "slot 0, ticket" run -v first true

# --- order
begin order-0 -j 1 order
check "one holds the slot" enter order-0
for i in 1 2 3; do
	begin order-$i order
	check "$i wait" wait_for order $i
done
for i in 0 1 2; do
	touch order-$i.end
done
check "the last one gets in" enter order-3
check "all leave" leave order-0 order-1 order-2 order-3
in_order() {
	cat order
	[ "$(paste -sd' ' order)" = "order-0 order-1 order-2 order-3" ]
}
check "in order" in_order

# --- who does not wait for ever
begin held-1 -j 1 held
check "another line is held" enter held-1
check "-n gives up" gives 75 run -n held true
check "-n with a code" gives 9 run -n -E 9 held true
check "-w gives up" gives 75 run -w 0.5 held true
check "-v -n says so" says 75 "no slot is free" run -v -n held true
begin held-2 -v held
check "one waits" wait_for held 1
check "its position is told" soon said held-2 1 "1st in line, 1 slot"
strike TERM held-2
check "SIGTERM ends it" finish 143 held-2
check "and its place is free at once" shows held "1 held, 0 waiting"

# --- signals
strike USR1 held-1
check "a signal is passed on" soon saw held-1 USR1
strike TERM held-1
check "so is SIGTERM, and the code is the command's" finish 5 held-1
check "which saw it" saw held-1 TERM
check "the slot is free" shows held "0 held"

# --- what the others show and do
begin shown-1 -j 3 -N 2 shown
check "two slots are held" enter shown-1
begin shown-2 -N 2 shown
check "who wants two more waits" wait_for shown 1
check "status" shows shown "shown: 3 slots, 2 held, 1 waiting ($store/wicket/shown)"
check "with host, units and fence" shows shown "job on $(uname -n), 2 units, fence"
check "JSON: holders" json shown 'len(s["holders"]) == 2 and
	s["holders"][1]["slot"] == 1 and s["holders"][0]["units"] == 2 and
	s["holders"][0]["fence"] > 0 and s["holders"][0]["comm"] == "job"'
check "JSON: who waits" json shown 'len(s["waiting"]) == 1 and
	s["waiting"][0]["position"] == 1 and s["waiting"][0]["fence"] is None'
check "JSON: host and user" json shown \
	"s[\"holders\"][0][\"host\"] == \"$(uname -n)\" and s[\"holders\"][0][\"uid\"] == $(id -u)"
check "JSON: the line" json shown 's["line"] == "shown" and s["slots"] == 3 and
	s["declared"] == 3 and s["seats"] is None and s["counters"]["grants"] >= 1'
listed() {
	on list >out && cat out && grep -qE ' +3 +2 +1 .* shown$' out &&
		on list --json | grep -q '"line": "shown"'
}
check "list" listed
check "rm: in use, by whom and where" says 75 \
	"slot 0 by $(cat shown-1.pid) (job) on $(uname -n)" rm shown
check "doctor" prints "$store/wicket/shown
shown: no damage found" doctor shown
"$wicket" status --store "$store" --watch --json shown >watched 2>/dev/null &
watcher=$!
check "--watch shows the line" soon test -s watched
check "resize" gives 0 resize shown 4
check "lets in who waits" enter shown-2
check "--watch shows that" soon grep -q '"waiting":\[\]' watched
kill "$watcher"
check "to nothing: drained" gives 0 resize shown 0
check "who holds slots keeps them" shows shown "0 slots, 4 held"
check "and is shown in them" shows shown "slot 3"
check "they leave" leave shown-1 shown-2
check "nobody gets in any more" gives 75 run -n shown true
check "nor with all units" gives 75 run -w 0.5 -N all shown true
check "nor with -j, which is no disagreement" gives 75 run -w 0.5 -j 4 shown true
check "it is opened again" gives 0 resize shown 2
check "so that one gets in" gives 0 run -n -N all shown true
check "rm" gives 0 rm shown
check "then it is gone" says 66 "no such line" rm shown
check "status: no such line" says 66 "no such line" status shown
check "doctor: no such line" says 66 "no such line" doctor shown
check "resize: no such line" says 66 "no such line" resize shown 1
check "no lines with another prefix" prints "no lines in $store/other" \
	status --store "$store/other"
check "a line there" gives 0 run --store "$store/other" -j 1 x true
check "is listed there" prints "$store/other/x
x: no damage found" doctor --store "$store/other" x

# a line whose name is the prefix of others
begin inner --store "$store/other/x" -j 1 inner
check "one holds a slot of a line below" enter inner
check "the line above is removed" gives 0 rm --store "$store/other" x
check "which is nothing to the one below" gives 75 run --store "$store/other/x" -n \
	inner true
check "it leaves" leave inner
check "the longest name" gives 0 run --store "$store/other" \
	"$(printf '%0128d' 0)" true
lists_it() {
	timeout 60 "$wicket" list --store "$store/other" | grep -q "$(printf '%0128d' 0)"
}
check "is listed, and the list ends" lists_it

# who asks for more than there is since the line was made smaller
begin small-1 -j 3 small
check "one of three" enter small-1
begin small-2 -N 3 small
check "another one wants all three" wait_for small 1
begin small-3 small
check "a third wants one" wait_for small 2
check "there are only two slots now" gives 0 resize small 2
check "who wants three never gets them, and goes" finish 78 small-2
check "so that the third gets in" enter small-3
check "they go, too" leave small-1 small-3

# --- wrong input
check "another k" says 78 "the line has 2 slots, not 3 as -j says" run -j 3 first true
check "too many units" says 78 "the line has 2 slots, fewer than -N 3" \
	run -N 3 first true
check "units of a line that is not there" says 64 "needs -j" run -N 3 nobody true
check "it is still not there" says 66 "no such line" rm nobody
check "too few values" says 78 "more than --map has values (1)" \
	run --slot-var V --map a first true
check "no units" says 64 "-N 0: expected a whole number" run -N 0 first true
check "a lease that is too short" says 64 "--ttl 1: expected" run --ttl 1 first true
check "--mode" says 64 "--mode and --store" run --mode 660 first true
check "--trust" says 64 "--trust and --store" run --trust first true
check "a name with a space" says 64 "expected the name of a line" run "a b" true
check "a name with a slash" says 64 "expected the name of a line" run a/b true
check "no name" says 64 "expected the name of a line" run "" true
check "no store" says 64 "expected a store" run --store etcd:x first true
check "no such port" says 64 "expected servers" run --store etcd://db1:99999 first true
check "a name of our keys" says 64 "are not names" run live true
check "no port" says 64 "expected servers" run --store etcd://db1 first true
check "another kind" says 64 "expected a store" status --store redis://db1:1 first
check "no number of slots" says 64 "expected NAME and a number" resize first
check "too many slots" says 64 "0 to 511" resize first 512
check "no value" says 64 "needs a value" list --store
for value in abc 2 0 -1s 1e9h; do
	check "ETCDCTL_DIAL_TIMEOUT=$value" with ETCDCTL_DIAL_TIMEOUT=$value says 64 \
		"ETCDCTL_DIAL_TIMEOUT=$value: expected a time from 1ms to 24h, such as 2s" \
		run first true
done
check "ETCDCTL_CACERT" with ETCDCTL_CACERT=/nowhere says 64 \
	"ETCDCTL_CACERT=/nowhere: expected a file that can be read" run first true
check "ETCDCTL_ENDPOINTS" with ETCDCTL_ENDPOINTS=, says 64 \
	"ETCDCTL_ENDPOINTS=,: expected HOST:PORT" status --store etcd:// first
local_error() {
	timeout 60 "$wicket" "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq 64 ] && grep -q "needs --store" err
}
check "--ttl on this machine" local_error run --ttl 5 x true
check "resize on this machine" local_error resize x 3
# by WICKET STORE COMMAND...: with these, this once.
by() {
	our_wicket=$wicket our_store=$store
	wicket=$1 store=$2
	shift 2
	"$@"
	set -- $?
	wicket=$our_wicket store=$our_store
	return "$1"
}
mkdir -p alone moved/bin moved/libexec/wicket
cp "$wicket" alone
cp "$wicket" moved/bin
cp "${wicket%/*}/wicket-etcd" moved/libexec/wicket
check "wicket-etcd is found where both were moved" \
	by "$work/moved/bin/wicket" "$store" gives 0 run -j 1 moved true
check "a wrong URL, without wicket-etcd" \
	by "$work/alone/wicket" redis://db1:1 says 64 "expected a store" list
installed=$(grep -ao '[[:graph:]]*/wicket/wicket-etcd' "$wicket" | grep '^/')
if [ -e "$installed" ]; then
	skip "without wicket-etcd" "$installed is installed"
else
	check "without wicket-etcd" by "$work/alone/wicket" "$store" \
		says 69 "neither beside wicket nor in" list
fi
ctl put wicket/alien/w nonsense >/dev/null
ctl put wicket/future/w "$(ctl get --print-value-only wicket/first/w |
	sed 's/"format":[0-9]*/"format":99/')" >/dev/null
check "keys that are not ours" says 65 "no line in etcd" run alien true
check "status of them" says 65 "no line in etcd" status alien
check "a format that is not ours" says 65 "another version" run future true
nobody=127.0.0.1:$(free_ports 1)
check "no server, -n" says 69 "no server can be reached" \
	run --store "etcd://$nobody" -n x true
check "no server, -w: said once" says 75 "still trying" \
	run --store "etcd://$nobody" -w 2 x true
check "no server: status" says 69 "no server can be reached" \
	status --store "etcd://$nobody" x
check "no server: list" says 69 "no server can be reached" \
	list --store "etcd://$nobody"
check "no server: rm" says 69 "no server can be reached" \
	rm --store "etcd://$nobody" x

# --- wrappers that are killed
begin killed-1 -j 1 killed
check "a command runs" enter killed-1
strike KILL killed-1
check "its wicket is killed -9: it dies" soon is_dead killed-1
check "by SIGTERM" saw killed-1 TERM
# of the same lease, which leaves three seconds between SIGTERM and SIGKILL
begin killed-2 --ttl 30 killed stubborn
check "the next one gets the slot" enter killed-2
begin killed-3 --ttl 30 killed
check "one of the same host waits" wait_for killed 1
cp killed-2.job rival
strike KILL killed-2
check "one that ignores SIGTERM dies, too" soon is_dead killed-2
check "and then the next gets in" enter killed-3
check "not earlier" not saw killed-3 beside
rm rival

# guard NAME: the pid of its guard.
guard() {
	ps -o pid=,comm= --ppid "$(cat "$1.pid")" | awk '$2 == "wicket-guard" { print $1 }'
}
# guarded NAME PID: by another.
guarded() {
	now=$(guard "$1")
	[ -n "$now" ] && [ "$now" != "$2" ]
}
old=$(guard killed-3)
check "there is a guard" test -n "$old"
kill -KILL "$old"
check "it is killed: there is another" soon guarded killed-3 "$old"
old=$(guard killed-3)
kill -STOP "$old"
check "that one is stopped: there is another" soon guarded killed-3 "$old"
check "the command goes on" not is_dead killed-3
strike KILL killed-3
check "it dies with its wicket, nevertheless" soon is_dead killed-3
begin killed-4 killed
check "one more" enter killed-4
kill -KILL "$(guard killed-4)" "$(cat killed-4.pid)"
check "wicket and guard are killed: it dies" soon is_dead killed-4
check "by SIGTERM, which the kernel sends" saw killed-4 TERM

# --- with -o a command outlives its wrapper, and has no slot any more
begin spared-1 -j 1 -o spared stubborn
check "a command runs, with -o" enter spared-1
begin spared-2 spared
check "one of the same host waits" wait_for spared 1
old=$(guard spared-1)
check "it has a guard, too" test -n "$old"
strike KILL spared-1
check "its wicket is killed -9: the next gets in" enter spared-2
check "although the command runs on" not is_dead spared-1
check "without a guard" soon test ! -e "/proc/$old"
check "the next one leaves" leave spared-2
# there NAME OTHER: NAME gets in, alone on its host, and OTHER waits here.
there() {
	host=there
	begin "$1" -o --ttl 2 spared stubborn
	host=here
	check "$1 gets in, alone on its host" enter "$1"
	begin "$2" spared
	check "$2 waits here" wait_for spared 1
}
there spared-3 spared-4
strike KILL spared-3
check "its wicket is killed -9: when the lease ends, the one here gets in" enter spared-4
check "although that command runs on, too" not is_dead spared-3
check "the one here leaves" leave spared-4
touch spared-1.end spared-3.end
check "the first is not ended by anything else" soon is_dead spared-1
check "nor the other" soon is_dead spared-3
check "nobody told the first to end" not saw spared-1 TERM
check "nor the other" not saw spared-3 TERM
there spared-5 spared-6
cp spared-5.job rival
strike STOP spared-5
check "its wicket is only stopped: the one here gets in" enter spared-6
check "when the other is dead, in spite of -o" not saw spared-6 beside
rm rival
strike CONT spared-5
check "its wicket goes on, and exits with 76" finish 76 spared-5
check "the one here leaves" leave spared-6

# --- a wrapper that is stopped, and nobody else on its host keeps the lease
host=there
begin stopped-1 -j 1 --ttl 2 stopped stubborn
host=here
check "a command on another host" enter stopped-1
begin stopped-2 stopped
check "one here waits" wait_for stopped 1
cp stopped-1.job rival
strike STOP stopped-1
check "its wicket is stopped: the one here gets in" enter stopped-2
check "when the other is dead" not saw stopped-2 beside
rm rival
check "after a SIGTERM" saw stopped-1 TERM
strike CONT stopped-1
check "its wicket goes on, and exits with 76" finish 76 stopped-1
check "and says why" said stopped-1 1 "the slot was lost while"
check "the one here is well" leave stopped-2

# --- leases that end
revoke() {
	for lease in $(ctl lease list | sed -n 's/^[0-9a-f]*$/&/p'); do
		ctl lease revoke "$lease" || return
	done
}
begin lease-1 -j 1 lease
check "one has a lease" enter lease-1
begin lease-2 -v lease
check "another waits" wait_for lease 1
check "its position is told" soon said lease-2 1 "1st in line"
sleep 2
check "somebody ends their leases" revoke
check "the command is killed" finish 76 lease-1
check "which is said" said lease-1 1 "the lease has ended, or was revoked"
check "the other waits anew" soon said lease-2 1 "waiting anew"
check "and gets in" enter lease-2
# told: how long it says that it waited.
told() {
	sed -n 's/.*slot 0, .* after \([0-9.]*\) s.*/\1/p' "$1.err"
}
# it began before its position was told, and that was two seconds before the end
waited() {
	cat "$1.err"
	told "$1" | awk '{ seen = 1; short = $1 < 2 } END { exit !seen || short }'
}
check "having waited since it began" waited lease-2
check "it leaves" leave lease-2

# --- a server that stops
begin down-1 -j 1 --ttl 2 down
begin down-2 -j 1 --ttl 2 down2 stubborn
check "two commands run" enter down-1 down-2
kill -STOP "$one"
check "the server is stopped: 76" finish 76 down-1
check "after SIGTERM" saw down-1 TERM
check "SIGKILL for the stubborn one, and 76" finish 76 down-2
check "which saw SIGTERM first" saw down-2 TERM
check "one line says it" said down-2 1 "the slot was lost while"
check "-w is honoured" says 75 "no server answers" run -w 2 down true
begin down-3 down
check "without -w it says so once" soon said down-3 1 "still trying"
kill -CONT "$one"
check "and gets in when the server goes on" enter down-3
check "having said it once" said down-3 1 "still trying"
check "and leaves" leave down-3

# --- servers that go away while somebody watches, and come back
# shellcheck disable=SC2046 # two words
set -- $(free_ports 2)
port=$1 peers=$2 away=etcd://127.0.0.1:$1
come() {
	etcd_run away "$port" "$peers" --initial-cluster "away=http://127.0.0.1:$peers"
	etcd_await "127.0.0.1:$port"
}
come
check "a line there" gives 0 run --store "$away" -j 2 eyed true
watch() {
	exec timeout 300 "$wicket" status --watch --store "$away" "$@"
}
watch eyed >eyed.one 2>&1 &
watchers=$!
watch >eyed.all 2>&1 &
watchers="$watchers $!"
watch --json eyed >eyed.json 2>eyed.err &
watchers="$watchers $!"
TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
	timeout --foreground 300 "$wicket" status --watch --store "$away" eyed \
	>eyed.tty 2>&1 </dev/null &
watchers="$watchers $!"
each() {
	for picture in eyed.one eyed.all eyed.tty; do
		soon grep "$1" "$picture" || ! cat "$picture" || return
	done
}
check "it is watched" each "eyed: 2 slots"
check "as JSON, too" soon grep '"slots":2' eyed.json
etcd_stop "$etcd_pid"
check "the server goes away: the pictures say so" \
	each "as it was [0-9.]* s ago: no server can be reached"
check "with JSON it is an error message" soon said eyed 1 "still trying"
redrawn() {
	[ "$(grep -o "as it was" eyed.tty | wc -l)" -ge 3 ]
}
check "a terminal says so again and again" soon redrawn
check "status without --watch fails" says 69 "no server can be reached" \
	status --store "$away" eyed
come
check "it comes back, and the line is changed" gives 0 resize --store "$away" eyed 3
check "the pictures show that" each "eyed: 3 slots"
check "so does JSON" soon grep '"slots":3' eyed.json
# after the picture that says it there is none that does
is_past() {
	cat "$1"
	awk '/slots/ && before ~ /as it was/ && /3 slots/ { bad = 1 }
		{ before = $0 } END { exit bad }' "$1"
}
check "as it is" is_past eyed.one
check "all lines, too" is_past eyed.all
check "it was said once" said eyed 1 "still trying"
check "and nothing else" test "$(wc -l <eyed.err)" -eq 1
kill -STOP "$etcd_pid"
check "a server that is silent is away, too" each "as it was [0-9.]* s ago: no server answers"
kill -CONT "$etcd_pid"
check "and comes back" gives 0 resize --store "$away" eyed 4
check "the pictures show it" each "eyed: 4 slots"
check "the line is removed" gives 0 rm --store "$away" eyed
check "which ends a watch" soon grep "the line was removed" eyed.one
# shellcheck disable=SC2086 # words
kill $watchers 2>/dev/null
etcd_stop "$etcd_pid"

# --- the file with the deadline is truncated: there is no deadline any more
begin damaged --ttl 7 damaged stubborn
check "one holds a slot" enter damaged
: >"$(echo "$work/here"/.etcd2-*-7-*)"
check "its command is ended, whatever it does about SIGTERM" soon is_dead damaged
check "and so is wicket" soon test -e damaged.code

# --- servers that refuse
# shellcheck disable=SC2046 # two words
set -- $(free_ports 2)
etcd_run bare "$1" "$2" --initial-cluster "bare=http://127.0.0.1:$2" \
	--enable-grpc-gateway=false
etcd_await "127.0.0.1:$1"
check "a gateway that is disabled" says 65 "gateway is disabled" \
	run --store "etcd://127.0.0.1:$1" x true
etcd_stop "$etcd_pid"
etcd_one full --quota-backend-bytes 2000000
etcd_await "$etcd_endpoint"
fill() {
	head -c 1000000 /dev/zero | tr '\0' x >big
	for i in 1 2 3 4 5 6; do
		ctl put "big$i" <big >said 2>&1 || break
	done
	grep "space exceeded" said
}
begin full-1 --store "etcd://$etcd_endpoint" -j 1 full
check "one holds a slot of a server" enter full-1
check "that has no space any more" fill
check "-n ends" says 69 "space exceeded" run --store "etcd://$etcd_endpoint" -n x true
check "so does -w" says 75 "space exceeded" run --store "etcd://$etcd_endpoint" -w 1 x true
check "and who holds" leave full-1
check "no TLS there: it does not wait for that" says 65 "x: there is no TLS (" \
	run --store "etcds://$etcd_endpoint" x true
etcd_stop "$etcd_pid"
etcd_one users --bcrypt-cost 4
etcd_await "$etcd_endpoint"
users() {
	ctl user add root:secret && ctl user grant-role root root && ctl auth enable
}
check "users are needed" users
check "nobody is refused" says 77 "refuses us" run --store "etcd://$etcd_endpoint" x true
check "a wrong password" with ETCDCTL_USER=root:wrong says 77 "authentication failed" \
	run --store "etcd://$etcd_endpoint" x true
check "the right one" with ETCDCTL_USER=root:secret gives 0 \
	run --store "etcd://$etcd_endpoint" x true
etcd_stop "$etcd_pid"
certificate() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout server.key -out server.crt \
		-subj /CN=server -addext subjectAltName=IP:127.0.0.1 -days 2
}
if command -v openssl >/dev/null; then
	check "a certificate is made" certificate
	etcd_scheme=https
	etcd_one tls --cert-file server.crt --key-file server.key
	etcd_await "https://$etcd_endpoint" --cacert server.crt
	check "a certificate that is not to be trusted" says 77 "not to be trusted" \
		run --store "etcds://$etcd_endpoint" x true
	export ETCDCTL_CACERT="$work/server.crt"
	check "TLS" gives 0 run --store "etcds://$etcd_endpoint" x true
	etcd_stop "$etcd_pid"
	# shellcheck disable=SC2046 # two words
	set -- $(free_ports 2)
	etcd_dying "$1"
	begin tls-1 --store "etcds://127.0.0.1:$1" tls
	check "a server that dies when it is greeted: it says so, and tries on" \
		soon said tls-1 1 "still trying"
	etcd_stop "$etcd_pid"
	etcd_run again "$1" "$2" --initial-cluster "again=http://127.0.0.1:$2" \
		--cert-file server.crt --key-file server.key
	check "it is there again, with TLS" enter tls-1
	check "and gives its slot back" leave tls-1
	unset etcd_scheme ETCDCTL_CACERT
else
	skip "certificates" "openssl is missing"
fi
etcd_stop_all

# --- three servers, of which two stop
etcd_three three
etcd_await "$etcd_endpoints"
store=etcd://$etcd_endpoints
check "three servers" gives 0 run -j 1 x true
# shellcheck disable=SC2086 # three words
set -- $etcd_three
kill -STOP "$2" "$3"
check "two of them are stopped: -w is honoured" says 75 "no " run -w 3 x true
begin quorum x
check "without -w it says so, and tries on" soon said quorum 1 "still trying"
kill -CONT "$2" "$3"
check "they go on, and it gets in" enter quorum
check "it leaves as well" leave quorum
done_testing
