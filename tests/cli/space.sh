#!/bin/sh
# space: words and JSON, what is not known when a limit ends it, and the picture.
# usage: space.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"
here=$work/here

wrong 64 space
wrong 64 space -n 3
two_processes() {
	"$verify" space -n 2 >"$tap_log.out" &&
		grep -qx 'shared values, n = 2, k = 1' "$tap_log.out"
	status=$?
	rm -f "$tap_log.out"
	return "$status"
}
check "k is 1 of two processes" two_processes
wrong 64 space queue -n 3 -k 1
wrong 64 space -n 3 -k 1 --trace x.json
wrong 64 space --bits -n 3 -k 1
wrong 64 space --bits --plot x.svg
wrong 64 space --plot
wrong 64 space --growth
wrong 64 space --growth x.svg -n 3
wrong 64 space --growth x.svg --plot y.svg
wrong 64 space --growth x.svg --bits
wrong 64 space --growth x.svg --json
wrong 65 space --growth x.svg -k 0
wrong 65 space --growth x.svg -k 16
wrong 65 space --growth x.svg -r 0
wrong 73 space --growth missing/x.svg
wrong 64 check queue -n 3 -k 1 --plot x.svg
wrong 65 space -n 3 -k 3
wrong 65 space -n 17 -k 1
wrong 65 space -n 1 -k 1
wrong 65 space -n 3 -k 1 -r 0
wrong 73 space -n 2 -k 1 --plot missing/x.svg

# says CODE FILTER ARG...: that exit code, and the filter is true of the object. What
# was asked before is not computed again.
says() {
	code=$1 filter=$2
	shift 2
	said="$work/space $*"
	if [ ! -d "$said" ]; then
		mkdir "$said"
		"$verify" space "$@" --json >"$said/out" 2>"$said/err"
		echo $? >"$said/code"
	fi
	cat "$said/err" "$said/out"
	grep -qx "$code" "$said/code" ||
		! echo "exit $(cat "$said/code"), expected $code" || return 1
	[ ! -s "$said/err" ] && jq -e "$filter" "$said/out" >/dev/null
}
check "JSON: the keys" says 0 '.n == 3 and .k == 1 and all(.rows[];
	(keys - ["algorithm", "n", "k", "complete", "reached", "bits",
	"upper_bound", "sharper_bound", "lower_bound", "lower_bound_of",
	"lower_bounds", "minimal_at_least", "minimal_at_most",
	"minimal_canonical", "h_values", "theorem_values", "premise",
	"too_large"]) == [] and (keys | length) == 18 and .complete)' -n 3 -k 1
check "JSON: a theorem for each bound" says 0 'all(.rows[];
	(.lower_bound == null) == (.lower_bound_of == null) and
	.lower_bound == ([.lower_bounds[]] | max))' -n 3 -k 2
check "JSON: colored" says 0 '.rows[] | select(.algorithm == "colored") |
	.reached == 24 and .bits == 5 and .upper_bound == 72 and
	.sharper_bound == 36 and .lower_bound == 2 and
	.lower_bound_of == "FLBB 1979, Theorem 5.3" and
	.minimal_at_least == 18 and .minimal_at_most == 18' -n 3 -k 1

check "JSON: what had a supervisor has a premise" says 0 'all(.rows[];
	.premise == if .algorithm | test("^eliminate:") then true else null end)' -n 2
# Theorem 5.3 is about processes without a supervisor, if r is at least k.
check "JSON: a lower bound without a supervisor" says 0 'all(.rows[] |
	select(.algorithm | test("supervised|short-names"));
	.lower_bound_of == if .algorithm | test("^eliminate:")
		then "FLBB 1979, Theorem 5.3" else null end)' -n 3 -k 2 -r 2
check "JSON: none if r is less than k" says 0 'all(.rows[] |
	select(.algorithm | test("supervised|short-names")); .lower_bound == null)' \
	-n 3 -k 2
check "JSON: explored where that takes seconds" says 0 '[.rows[] |
	select(.algorithm | test("supervised|short-names")) |
	[.algorithm, .reached, .bits, .too_large]] == [
	["supervised", 6503, 13, false], ["short-names", 201, 8, false],
	["short-names:least", 1819, 11, false],
	["eliminate:supervised", null, null, true],
	["eliminate:short-names", 88, 7, false]]' -n 3 -k 2
too_large() {
	"$verify" space -n 3 -k 2 >"$work/out" || return 1
	cat "$work/out"
	[ "$(grep -c 'too large' "$work/out")" -eq 1 ] &&
		grep -q '^eliminate:supervised  *too large  *- ' "$work/out"
}
check "too large, in words" too_large
# A limit: what is not known is null, everything else stands.
undecided='any(.rows[]; .complete | not) and all(.rows[]; .complete or
	(.minimal_at_least == null and .minimal_at_most == null)) and
	all(.rows[] | select(.algorithm == "colored");
	.reached == null and .bits == null and .upper_bound > 0)'
check "69: --memory 100K" says 69 "$undecided" -n 4 -k 3 --memory 100K
check "75: --timeout" says 75 "$undecided" -n 5 -k 4 --timeout 0.05
words() {
	"$verify" space -n 4 -k 3 --memory 100K >"$work/out"
	[ $? -eq 69 ] || return 1
	cat "$work/out"
	grep -q '^colored  *not known' "$work/out"
}
check "69: in words" words

# Under each other: every row ends in the same column.
aligned() {
	"$verify" space -n 2 -k 1 >"$work/out" || return 1
	cat "$work/out"
	awk 'NR == 2 { wide = length } NR > 2 && length != wide { bad = 1 }
		END { exit bad || NR < 10 }' "$work/out"
}
check "the rows are under each other" aligned

# --- the picture
picture() {
	"$verify" space -n 4 -k 2 --plot "$here/x.svg" >"$work/out" || return 1
	[ "$(ls "$here")" = x.svg ] && grep -q '^colored ' "$work/out" &&
		python3 - "$here/x.svg" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
svg = '{http://www.w3.org/2000/svg}'
texts = [t.text for t in root.iter(svg + 'text')]
print(texts)
assert root.tag == svg + 'svg'
for text in ('n = 3', 'n = 4', 'colored: reached', 'colored: merged',
             'colored: upper bound', 'queue, queue:1979: merged',
             'FLBB 1979, Theorem 5.3', 'shared values, k = 2'):
    assert text in texts, text
assert not any('semaphore' in t for t in texts)
width, height = int(root.get('width')), int(root.get('height'))
for c in root.iter(svg + 'circle'):
    assert 0 < float(c.get('cx')) < width and 0 < float(c.get('cy')) < height
labels = sorted(float(t.get('y')) for t in root.iter(svg + 'text')
                if t.get('text-anchor') == 'start')[1:]
assert all(b - a >= 13 for a, b in zip(labels, labels[1:])), labels
PYTHON
}
check "a picture is drawn" picture

# growth TEST ARG...: the picture, with the test in Python of its texts and heights.
growth() {
	test=$1
	shift
	"$verify" space --growth "$here/x.svg" "$@" || return 1
	python3 - "$here/x.svg" "$test" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
texts = {}
for t in root.iter('{http://www.w3.org/2000/svg}text'):
    text = ''.join(t.itertext())
    texts[text] = float(t.get('y'))
    if t.get('text-anchor') == 'start': # it does not leave the paper
        assert float(t.get('x')) + 6.8 * len(text) < int(root.get('width')), text
print(texts)
assert 'n = 21' in texts and '216' in texts
assert eval('(' + sys.argv[2] + ')')
PYTHON
}
# Constants cancel: n^2 is above n (log n)^2, and that above n.
check "and one of the growth" growth '"short-names" not in texts and
	"upper bounds on shared values, relative to n = 2, k = 1, r = 3" in texts and
	texts["colored, colored:stack, colored-1979"] < texts["short-names:least"] <
	texts["supervised"]' -k 1 -r 3
check "k is 1, and long labels have room" growth '"supervised, short-names, " +
	"short-names:least, eliminate:supervised, eliminate:short-names" in texts'
check "what there is no system of is not drawn" growth '"supervised" not in texts and
	any(name.startswith("colored,") for name in texts)' -r 99
rest() {
	echo old >"$here/x.svg"
	"$verify" space -n 2 -k 1 --plot "$here/x.svg" >/dev/full 2>/dev/null
	[ $? -eq 73 ]
}
check "73: standard output is full" rest

# --- bits
check "bits: the largest line fills its words" says 0 '.rows[] |
	select(.n == 8191 and .k == 511) |
	.w == 124 and .slot == 64 and .seat == 116' --bits
check "bits: a few values are worth a few bits" says 0 '.rows[] |
	select(.n == 4 and .k == 1) | .colored == 7 and .tight == 7 and
	.fields == 8' --bits
table() {
	"$verify" space --bits >"$work/out" && cat "$work/out" &&
		[ "$(wc -l <"$work/out")" -gt 20 ]
}
check "bits: in words" table
done_testing
