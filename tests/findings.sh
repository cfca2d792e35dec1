#!/bin/sh
# Every command of doc/findings.md can be typed as it stands there, and decides what
# it was asked: 0 it holds, 1 it fails.
# usage: findings.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
. "$tree/tests/tap.sh"

decides() {
	"$verify" "$@" >/dev/null
	[ $? -le 1 ]
}
commands=$(sed -n 's/^    wicket-verify //p' "$tree/doc/findings.md")
check "there are commands" test -n "$commands"
while read -r command; do
	# shellcheck disable=SC2086 # words on purpose
	check "wicket-verify $command" decides $command
done <<END
$commands
END
done_testing
