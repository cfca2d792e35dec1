# Sourced after tap.sh by the tests of exec: runs, and what they print.
# Needs $verify, the program.
# shellcheck shell=sh disable=SC2154,SC2016 # verify and tap_log are theirs

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# ran ARG...: exec with these; its exit code in $code, its JSON in $work/out.
ran() {
	timeout 60 "$verify" exec "$@" --json >"$work/out" 2>"$work/err"
	code=$?
	cat "$work/err" "$work/out"
	[ ! -s "$work/err" ]
}
# it PROGRAM: what jq says of the last run is true.
it() {
	jq --argjson code "$code" -e "$1" "$work/out" >/dev/null ||
		! echo "not so: $1"
}
# What holds of every run, good or bad. (One jq for all: there are many runs.)
sane='.holds == (.most_inside <= .k and .lost_updates == 0) and
	(.entries_of | length) == .n and (.entries_of | add) == .entries and
	(.entries_per_second > 0 or .entries == 0) and
	.seconds > 0 and .longest_wait >= 0 and .trying <= .n and
	.most_overtaken <= .overtakings and
	(if .holds then 0 else 1 end) == $code'
# good ARG...: no run let in too many, and one let somebody in: on a busy machine
# a short run may be over before anybody gets a processor. A minute without an entry
# is a hang.
good() {
	end=$(($(date +%s) + 60))
	while ran "$@" && it "$sane and .holds"; do
		! it '.entries > 0 and .most_inside > 0' || return 0
		[ "$(date +%s)" -lt $end ] || return 1
	done
	return 1
}
# either ARG...: good or bad.
either() {
	ran "$@" && it "$sane"
}
# shows PROGRAM ARG...: some run of many does. Of 40 runs of each on two processors,
# colored@leads-strict was convicted by 30, the others of all.sh by 39 or 40, at a
# load of 10; rivest-pratt-n@silent, killed 100 times a second, by 40, at a load of 6.
# If 8 of 40 (20 %) convicted one, 100 runs would all miss it with a chance of 2 in
# 10^10.
shows() {
	program=$1 times=0
	shift
	while [ $((times += 1)) -le 100 ]; do
		either "$@" --seconds 0.2 || return 1
		! it "$program" || return 0
	done
	return 1
}
