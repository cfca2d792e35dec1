#!/bin/sh
# Fuzzes for a while, with a fixed seed, from real lines.
# Usage: fuzz.sh WICKET FUZZ SECONDS
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/lines" "$dir/corpus" || exit 1
export WICKET_DIR="$dir/lines"

# shellcheck disable=SC2016 # for the inner shell
"$1" run -j1 idle true && "$1" run -j2 held sh -c 'cp "$WICKET_DIR/held" "$WICKET_DIR/in-use"' ||
	exit 1
for line in "$dir"/lines/*; do
	# the rest of the many seats is zeros
	{ printf '\001' && head -c 4096 "$line"; } >"$dir/corpus/mended-${line##*/}"
	{ printf '\000' && cat "$line"; } >"$dir/corpus/${line##*/}"
done
if "$2" -seed=1 -max_len=16385 -max_total_time="$3" -timeout=20 \
	-print_final_stats=1 -artifact_prefix="$dir/" "$dir/corpus" >"$dir/log" 2>&1; then
	echo "ok 1 - $(grep number_of_executed_units "$dir/log")"
else
	sed 's/^/# /' "$dir/log"
	echo "not ok 1 - fuzz"
fi
echo "1..1"
