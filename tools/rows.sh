# shellcheck shell=sh
# Rows of a table, decided anew, as many at a time as there are processors. To be
# sourced by tools/protocol and tools/fences, which say first
#   table      which one
#   states     the column that says how many states there are
#   ask ROW    what wicket-verify says of it, as JSON
#   line ROW   the row as it should be, by that JSON on standard input
# and then call side_by_side "$@":
#   WICKET-VERIFY [WHEN]           prints the table anew: all rows, or those whose
#                                  first column is WHEN
#   WICKET-VERIFY WHEN --as-one [MOST]
#                                  of rows of at most MOST states, whether two threads
#                                  report the same as one, but for seconds and bytes
# shellcheck disable=SC2034,SC2154 # who sources this reads and assigns them
tab=$(printf '\t')

# as_one ROW BASE: "same" or "differs", and the row.
as_one() {
	for threads in 1 2; do
		ask "$1" | jq 'del(.. | .seconds?, .bytes?)' >"$2.$threads"
	done
	if [ -s "$2.1" ] && cmp -s "$2.1" "$2.2"; then
		echo "same$tab$1"
	else
		echo "differs$tab$1"
	fi
	rm "$2.1" "$2.2"
}

side_by_side() {
	verify=$1 when=${2:-} how=${3:-} most=${4:-}
	threads=1
	if [ "$when" = --row ]; then
		# in a process of its own: WICKET-VERIFY --row HOW DIRECTORY NUMBER:ROW
		if [ "$how" = --as-one ]; then
			as_one "${5#*:}" "$4/${5%%:*}"
		else
			ask "${5#*:}" | line "${5#*:}"
		fi >"$4/${5%%:*}.row"
		return
	fi
	rows=$(mktemp -d)
	trap 'rm -rf "$rows"' EXIT
	trap 'exit 1' HUP INT TERM
	[ -n "$how" ] || head -n 1 "$table"
	awk -F '\t' -v when="$when" -v most="$most" -v states="$states" '
		NR > 1 && (when == "" || $1 == when) &&
		(most == "" || ($states != "-" && $states <= most)) {
			printf "%04d:%s\n", NR, $0 }' "$table" |
		xargs -d '\n' -n 1 -P "$(nproc)" "$0" "$verify" --row "$how" "$rows"
	cat "$rows"/*.row
}
