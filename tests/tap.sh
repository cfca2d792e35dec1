# Sourced by the shell tests: ok and not ok, counted; the plan at the end.
# shellcheck shell=sh

tap_count=0
tap_failed=0

# check DESCRIPTION COMMAND [ARG...]: good if the command exits 0.
check() {
	tap_count=$((tap_count + 1))
	tap_what=$1
	shift
	if "$@" >"$tap_log" 2>&1; then
		echo "ok $tap_count - $tap_what"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $tap_what"
		sed 's/^/# /' "$tap_log"
	fi
}

# skip DESCRIPTION REASON
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

tap_log=$(mktemp)
trap 'rm -f "$tap_log"' EXIT

# done_testing ends the script.
done_testing() {
	echo "1..$tap_count"
	exit $((tap_failed > 0))
}
