# Sourced after etcd.sh by the tests of a line: those who take part in it, and what is in
# the store.  Needs $participant, the program, and $tree.
# shellcheck shell=sh
# shellcheck disable=SC2154 # participant, tree and what etcd.sh has are theirs
# shellcheck disable=SC2034 # so is what they use

# --- participants: NAME of each is of its files in $work
trap 'end_all; etcd_stop_all; rm -rf "$tap_log" "$work"' EXIT
end_all() {
	for file in "$work"/*.pid; do
		[ ! -s "$file" ] || [ -e "${file%.pid}.code" ] ||
			kill -KILL "$(cat "$file")" 2>/dev/null
	done
}

# soon COMMAND...: within a minute.
soon() {
	late=$(($(date +%s) + 60))
	until "$@"; do
		[ "$(date +%s)" -lt $late ] ||
			! echo "not within a minute: $*" || return 1
		sleep 0.05
	done
}

# begin NAME ARG...: a participant, on a host of its own, or on $host.  Its pid is that of
# the program itself.
host=
begin() {
	who=$1 where=$work/host-${host:-$1}
	shift
	[ -e "$where" ] || mkdir "$where"
	# shellcheck disable=SC2016 # for the other shell
	(
		WICKET_DIR=$where sh -c 'echo $$ >"$0" && exec "$@"' \
			"$work/$who.pid" "$participant" "$@" >"$work/$who.log" 2>"$work/$who.err"
		echo $? >"$work/$who.new"
		mv "$work/$who.new" "$work/$who.code"
	) 2>/dev/null &
	soon test -s "$work/$who.pid"
}
# finish CODE NAME...: they end, and exit so.
finish() {
	expected=$1
	shift
	for who in "$@"; do
		soon test -e "$work/$who.code" || return
		code=$(cat "$work/$who.code")
		[ "$code" = "$expected" ] || ! echo "$who: $code, not $expected" ||
			! cat "$work/$who.log" "$work/$who.err" || return
	done
}
# leave NAME...: they are told to, and do.
leave() {
	for who in "$@"; do
		kill -TERM "$(cat "$work/$who.pid")" || return
	done
	finish 0 "$@"
}
# look_at_clock: now is in nanoseconds by CLOCK_BOOTTIME, of which we see hundredths.
look_at_clock() {
	read -r uptime _ </proc/uptime
	now=${uptime%.*}${uptime#*.}0000000
}
# strike SIGNAL NAME [dead]: the judge is told; dead: others know it before its deadline.
strike() {
	pid=$(cat "$work/$2.pid")
	look_at_clock
	kill -"$1" "$pid" || return
	echo "$now $pid ${3:-killed}" >"$work/$2-struck.log"
}
is_in() {
	grep -q " in " "$work/$1.log"
}
# enter NAME...: they get in.
enter() {
	for who in "$@"; do
		soon is_in "$who" || ! cat "$work/$who.err" || return
	done
}
is_out() {
	! is_in "$1" || ! cat "$work/$1.log"
}
# judged K COUNT PREFIX [OPTION...]: what those said whose names begin with it; any count,
# if it depends on who was killed.  The options are the judge's.
judged() {
	k=$1 grants="--grants $2" logs=$work/$3
	shift 3
	[ "$grants" != "--grants any" ] || grants=
	# shellcheck disable=SC2086 # two words, or none
	python3 "$tree/tests/cluster/judge.py" "$k" $grants "$@" "$logs"*.log ||
		! tail -n 200 "$logs"*.log
}

# --- what is in the store
ctl() {
	etcd_ctl "$etcd_endpoint" "$@"
}
value() {
	ctl get --print-value-only "wicket/$1"
}
# says LINE TEXT: w has it.
says() {
	value "$1/w" | grep -qF "$2"
}
# wait_for LINE COUNT: as many wait.
wait_for() {
	soon says "$1" "\"waiting\":$2}" || ! value "$1/w"
}
# keys LINE: all but w, without what is before.
keys() {
	ctl get --prefix --keys-only "wicket/$1/" |
		sed -n "s|^wicket/$1/||p" | grep -vx w
}
# count_is LINE KIND COUNT: of keys.
count_is() {
	[ "$(keys "$1" | grep -c "^$2/")" = "$3" ]
}
# empty LINE: nobody has anything.
empty() {
	! keys "$1" && says "$1" '"slots":[]' && says "$1" '"waiting":0' ||
		! value "$1/w"
}
# all LINE: every key and value, and when they were changed.
all() {
	ctl get --prefix "wicket/$1/" -w json | sed 's/"header":{[^}]*}//'
}
# unchanged LINE COMMAND...: by that.
unchanged() {
	line=$1
	shift
	before=$(all "$line")
	"$@" && [ "$before" = "$(all "$line")" ] || ! all "$line"
}
# refused TEXT ARG...: it is an error, and it says that.
refused() {
	text=$1
	shift
	timeout 60 "$participant" "$@" >"$work/refused" 2>&1
	code=$?
	cat "$work/refused"
	[ "$code" -eq 1 ] && grep -qF "$text" "$work/refused"
}
quietly() {
	timeout 60 "$participant" "$@"
}
# not_got ARG...
not_got() {
	quietly "$@"
	code=$?
	[ "$code" -eq 75 ] || ! echo "exit code $code"
}

