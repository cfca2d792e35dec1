# shellcheck shell=sh
# Rows of a table, decided anew, as many at a time as there are processors. To be
# sourced by tools/protocol and tools/fences, which say first
#   table      which one
#   ask ROW    what wicket-verify says of it, as JSON
#   line ROW   the row as it should be, by that JSON on standard input
# and then call side_by_side "$@":
#   WICKET-VERIFY [WHEN]           prints the table anew: all rows, or those whose
#                                  first column is WHEN
# shellcheck disable=SC2034,SC2154 # who sources this reads and assigns them
tab=$(printf '\t')

side_by_side() {
	verify=$1 when=${2:-}
	if [ "$when" = --row ]; then
		# in a process of its own: WICKET-VERIFY --row DIRECTORY NUMBER:ROW
		ask "${4#*:}" | line "${4#*:}" >"$3/${4%%:*}"
		return
	fi
	rows=$(mktemp -d)
	trap 'rm -rf "$rows"' EXIT
	trap 'exit 1' HUP INT TERM
	head -n 1 "$table"
	awk -F '\t' -v when="$when" '
		NR > 1 && (when == "" || $1 == when) {
			printf "%04d:%s\n", NR, $0 }' "$table" |
		xargs -d '\n' -n 1 -P "$(nproc)" "$0" "$verify" --row "$rows"
	cat "$rows"/*
}
