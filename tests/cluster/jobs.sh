# Sourced after etcd.sh by the tests of wicket with --store: hosts, commands that run in a
# slot, and what wicket says.  Needs $wicket, the program, and $store.
# A host is a directory of lines: those that have the same one share a lease.
# shellcheck shell=sh
# shellcheck disable=SC2154 # wicket, store and what etcd.sh has are theirs
# shellcheck disable=SC2016 # the commands expand what is in single quotes

trap 'end_all; etcd_stop_all; rm -rf "$tap_log" "$work"' EXIT
cd "$work" || exit 1
for host in here there; do
	mkdir "$work/$host"
done
WICKET_DIR=$work/here
export WICKET_DIR
unset SHELL

# --- commands that run as long as they are told.  Each NAME has files in $work: .pid of
# wicket, .job of its command, .log of what that saw, .err of what wicket said, .code.
cat >job <<'JOB'
#!/bin/sh
# job NAME [stubborn]: until NAME.end is there, or the directory is gone.
set -- "${0%/*}/$1" "$2"
trap 'echo TERM >>"$1.log"; [ -n "$2" ] || exit 5' TERM
trap 'echo USR1 >>"$1.log"' USR1
echo $$ >"$1.job"
# is the one that had the slot before still alive?
rival=$(cat "${0%/*}/rival" 2>/dev/null)
[ -z "$rival" ] || ! grep -qs '^State:.[^ZX]' "/proc/$rival/status" ||
	echo beside >>"$1.log"
echo "in $WICKET_SLOTS $WICKET_FENCE" >>"$1.log"
echo "${1##*/}" >>"${0%/*}/order"
until [ -e "$1.end" ] || [ ! -d "${0%/*}" ]; do
	sleep 0.05
done
JOB
chmod +x job

# soon COMMAND...: within a minute.
soon() {
	late=$(($(date +%s) + 60))
	until "$@" >looked 2>&1; do
		[ "$(date +%s)" -lt $late ] ||
			! echo "not within a minute: $*" || ! cat looked || return 1
		sleep 0.05
	done
}
not() {
	! "$@"
}
end_all() {
	for file in "$work"/*.job "$work"/*.pid; do
		[ ! -s "$file" ] || [ -e "${file%.*}.code" ] ||
			kill -KILL "$(cat "$file")" 2>/dev/null
	done
}
# begin NAME OPTION... LINE [stubborn]: wicket run with that, on the host $host.
host=here
begin() {
	who=$1
	shift
	how=
	for last; do :; done
	[ "$last" != stubborn ] || how=stubborn
	count=$(($# - ${#how} / 8)) at=0
	for word; do
		[ $((at += 1)) -gt 1 ] || set --
		[ $at -gt $count ] || set -- "$@" "$word"
	done
	(
		WICKET_DIR=$work/$host sh -c 'echo $$ >"$0" && exec "$@"' \
			"$work/$who.pid" "$wicket" run --store "$store" "$@" \
			"$work/job" "$who" $how >"$work/$who.out" 2>"$work/$who.err"
		echo $? >"$work/$who.new"
		mv "$work/$who.new" "$work/$who.code"
	) 2>/dev/null &
	soon test -s "$work/$who.pid"
}
is_in() {
	grep -q "^in" "$1.log" 2>/dev/null
}
# enter NAME...: they get in.
enter() {
	for who; do
		soon is_in "$who" || ! cat "$who.err" || return
	done
}
# finish CODE NAME...: they end, and exit so.
finish() {
	expected=$1
	shift
	for who; do
		soon test -e "$who.code" || ! cat "$who.log" "$who.err" || return
		code=$(cat "$who.code")
		[ "$code" = "$expected" ] || ! echo "$who: $code, not $expected" ||
			! cat "$who.log" "$who.err" || return
	done
}
# leave NAME...: they are told to, and do.
leave() {
	for who; do
		touch "$who.end"
	done
	finish 0 "$@"
}
strike() {
	kill -"$1" "$(cat "$2.pid")"
}
# is_dead NAME: its command, which a stopped wicket cannot reap.
is_dead() {
	! grep -s '^State:.[^ZX]' "/proc/$(cat "$1.job")/status"
}
# saw NAME WORD: its command.
saw() {
	grep -qx "$2" "$1.log"
}
# said NAME COUNT TEXT: on so many lines.
said() {
	cat "$1.err"
	[ "$(grep -cF -- "$3" "$1.err")" -eq "$2" ]
}

# --- wicket itself
# on COMMAND ARG...: with the store.
on() {
	command=$1
	shift
	timeout 60 "$wicket" "$command" --store "$store" "$@"
}
# gives CODE COMMAND ARG...: exits so, and says nothing.
gives() {
	code=$1
	shift
	on "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] && [ ! -s err ] ||
		! echo "exit $got, expected $code, and nothing said"
}
# prints TEXT COMMAND ARG...: all that it prints.
prints() {
	text=$1
	shift
	out=$(on "$@" 2>&1) || ! echo "$out" || return
	echo "$out"
	[ "$out" = "$text" ]
}
# says CODE TEXT COMMAND ARG...: one line on stderr with that text, and nothing else.
says() {
	code=$1 text=$2
	shift 2
	on "$@" >out 2>err
	got=$?
	cat out err
	[ "$got" -eq "$code" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
		grep -q "^wicket: " err && grep -qF -- "$text" err ||
		! echo "exit $got, expected $code and: $text"
}
# shows LINE TEXT: wicket status.
shows() {
	on status "$1" >out 2>&1
	cat out
	grep -qF -- "$2" out
}
wait_for() {
	soon shows "$1" " $2 waiting"
}
# json LINE PYTHON: is it true of the status?
json() {
	on status --json "$1" >out || return
	cat out
	python3 -c 'import json, sys
s = json.load(sys.stdin)
assert eval("(" + sys.argv[1] + ")"), sys.argv[1]' "$2" <out
}
# with NAME=VALUE COMMAND ARG...: in that environment.
with() {
	(export "${1?}" && shift && "$@")
}
ctl() {
	etcd_ctl "$etcd_endpoint" "$@"
}
