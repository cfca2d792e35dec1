#!/bin/sh
# Every command of doc/findings.md can be typed as it stands there, and says what
# tests/findings.tsv says it does: its exit code, and words of one line or more
# (separated by " & ", blanks counted as one).
# usage: findings.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
. "$tree/tests/tap.sh"

table=$tree/tests/findings.tsv
scratch=$(mktemp -d)
trap 'rm -rf "$tap_log" "$scratch"' EXIT

same_commands() {
	sed -n 's/^    wicket-verify //p' "$tree/doc/findings.md" >"$scratch/doc"
	sed 1d "$table" | cut -f 1 >"$scratch/table"
	[ -s "$scratch/doc" ] && diff -u "$scratch/doc" "$scratch/table"
}

# says EXIT WORDS COMMAND
says() {
	# shellcheck disable=SC2086 # words on purpose
	"$verify" $3 >"$scratch/out" 2>&1 </dev/null
	code=$?
	tr -s ' ' <"$scratch/out" >"$scratch/said"
	printf '%s\n' "$2" | sed 's/ & /\n/g' >"$scratch/words"
	if [ "$code" -ne "$1" ]; then
		echo "exit code $code instead of $1"
		return 1
	fi
	while IFS= read -r words; do
		if [ -z "$words" ] || ! grep -qF -- "$words" "$scratch/said"; then
			echo "does not say: $words"
			cat "$scratch/out"
			return 1
		fi
	done <"$scratch/words"
}

# The control: neither a wrong code nor wrong words pass, nor none.
notices() {
	says 1 "k-exclusion FAILS" "check semaphore@no-test -n 2 -k 1" &&
		! says 0 "k-exclusion FAILS" "check semaphore@no-test -n 2 -k 1" &&
		! says 0 "k-exclusion FAILS" "check queue -n 2 -k 1" &&
		! says 0 "" "check queue -n 2 -k 1"
}

tab=$(printf '\t')
check "the commands of doc/findings.md are those of the table" same_commands
check "a wrong verdict is noticed" notices
sed 1d "$table" >"$scratch/rows"
while IFS=$tab read -r command code words; do
	check "wicket-verify $command" says "$code" "$words" "$command"
done <"$scratch/rows"
done_testing
