#!/bin/sh
# A second opinion: SPIN on the Promela twins of models/ comes to the same
# verdicts, and for colored, one-bit and bakery to the same number of states.
# usage: spin.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$(readlink -f "$2")
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
cd "$work" || exit 1

if ! command -v spin >/dev/null; then
	skip "SPIN agrees" "spin is not installed"
	done_testing
fi

# pan MODEL COMPILE-OPTIONS RUN-OPTIONS SPIN-OPTION...: errors and states of SPIN
pan() {
	model=$1 compile=$2 run=$3
	shift 3
	rm -f spin.log gcc.log pan.log
	# shellcheck disable=SC2086 # words on purpose
	spin "$@" -a "$tree/models/$model.pml" >spin.log &&
		gcc -O1 -DNOREDUCE $compile -o pan pan.c 2>gcc.log &&
		./pan $run -m1000000 -w22 >pan.log
	errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log)
	states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.log)
	cat spin.log gcc.log pan.log
	! grep -q 'search depth too small' pan.log || errors= # it was cut short
}
# SPIN says so, and wicket-verify, if it was asked.
verdict() { # WANTED
	echo "SPIN: $errors errors; wicket-verify: $ours; expected $1"
	[ "$ours" = "$1" ] && [ -n "$errors" ] || return 1
	if [ "$1" = true ]; then [ "$errors" = 0 ]; else [ "$errors" != 0 ]; fi
}
# Both say that the property holds, or both that it fails.
agree() { # MODEL COMPILE RUN WANTED ALGORITHM N K PROPERTY SPIN-OPTION...
	model=$1 compile=$2 run=$3 wanted=$4 algorithm=$5 n=$6 k=$7 property=$8
	shift 8
	pan "$model" "$compile" "$run" -DN="$n" -DK="$k" "$@" >/dev/null
	ours=$("$verify" check "$algorithm" -n "$n" -k "$k" --property "$property" \
		--json | jq ".properties[\"$property\"].holds")
	verdict "$wanted"
}
# Step by step the same: also the number of states, those behind an error, too.
same_states() { # MODEL RUN WANTED ALGORITHM "N OPTION..." SPIN-OPTION...
	model=$1 run=$2 wanted=$3 algorithm=$4 size=$5
	shift 5
	pan "$model" -DSAFETY "$run -c0" -DN="${size%% *}" "$@" >/dev/null
	# shellcheck disable=SC2086 # words on purpose
	"$verify" check "$algorithm" -n $size --property k-exclusion --json >ours.json
	ours=$(jq '.properties["k-exclusion"].holds' ours.json)
	ours_states=$(jq .states ours.json)
	echo "SPIN $states states, wicket-verify $ours_states"
	[ -n "$states" ] && [ "$states" = "$ours_states" ] && verdict "$wanted"
}
# Without a word from wicket-verify: the model is of a part of an algorithm.
decide() { # MODEL RUN WANTED SPIN-OPTION...
	model=$1 run=$2 wanted=$3
	shift 3
	pan "$model" -DSAFETY "$run" "$@" >/dev/null
	ours=$wanted
	verdict "$wanted"
}

for size in "2 1" "3 1" "3 2" "4 1" "4 2" "4 3"; do
	check "colored, $size: the same states" same_states colored "" true \
		colored "${size% *} -k ${size#* }" -DK="${size#* }"
done
check "colored, 4 2: k-exclusion" \
	agree colored -DSAFETY "" true colored 4 2 k-exclusion
check "colored@leads-strict, 3 1: k-exclusion" \
	agree colored -DSAFETY "" false colored@leads-strict 3 1 k-exclusion -DSTRICT
check "two-bits, 3 2: k-exclusion" \
	agree two-bits -DSAFETY "" true two-bits 3 2 k-exclusion
check "two-bits@no-flag, 3 2: k-exclusion" \
	agree two-bits -DSAFETY "" false two-bits@no-flag 3 2 k-exclusion -DNO_FLAG
check "two-bits, 3 2: somebody always enters (fair)" \
	agree two-bits -DNP "-l -f" true two-bits 3 2 deadlock-freedom
check "rivest-pratt-n, 3: mutual exclusion" \
	agree rivest-pratt-n -DSAFETY "" true rivest-pratt-n 3 1 k-exclusion
check "rivest-pratt-n@printed, 2: mutual exclusion" agree rivest-pratt-n \
	-DSAFETY "" false rivest-pratt-n@printed 2 1 k-exclusion -DPRINTED
check "rivest-pratt-n, 3: somebody always enters (fair)" \
	agree rivest-pratt-n -DNP "-l -f" true rivest-pratt-n 3 1 deadlock-freedom
check "weak-one-bit, 3 2: k-exclusion" \
	agree weak-one-bit -DSAFETY "" true weak-one-bit 3 2 k-exclusion
check "weak-one-bit@no-flag, 3 2: k-exclusion" agree weak-one-bit \
	-DSAFETY "" false weak-one-bit@no-flag 3 2 k-exclusion -DNO_FLAG
check "weak-one-bit, 3 2: somebody always enters (fair)" \
	agree weak-one-bit -DNP "-l -f" true weak-one-bit 3 2 deadlock-freedom
check "weak-one-bit@all-yield, 3 2: or not (fair)" agree weak-one-bit \
	-DNP "-l -f" false weak-one-bit@all-yield 3 2 deadlock-freedom -DALL_YIELD
linear=rivest-pratt-linear
check "$linear, 2: mutual exclusion" agree $linear \
	-DSAFETY "" false $linear 2 1 k-exclusion -DAPART=1
check "$linear:padded, 2: mutual exclusion" agree $linear \
	-DSAFETY "" true $linear:padded 2 1 k-exclusion -DAPART=5
check "$linear:padded, 2: the Window Hypothesis" agree $linear \
	-DSAFETY "" true $linear:padded 2 1 WH -DAPART=5 -DWINDOW
check "$linear:padded@no-middle, 2: the Window Hypothesis" agree $linear -DSAFETY \
	"" false $linear:padded@no-middle 2 1 WH -DAPART=5 -DWINDOW -DNO_MIDDLE
check "$linear:padded@no-wait, 2: mutual exclusion" agree $linear -DSAFETY \
	"" false $linear:padded@no-wait 2 1 k-exclusion -DAPART=5 -DNO_WAIT
check "$linear:padded, 2: somebody always enters (fair)" agree $linear \
	-DNP "-l -f" true $linear:padded 2 1 deadlock-freedom -DAPART=5
for n in 2 3; do
	check "one-bit, $n: the same states" same_states one-bit "" true one-bit $n
done
check "one-bit@no-want, 2: the same states" \
	same_states one-bit "" false one-bit@no-want 2 -DNO_WANT
# -E: all may have stopped at the cap, which is no error.
check "bakery, 2, up to 4: the same states" \
	same_states bakery -E true bakery "2 --cap 4" -DCAP=4
check "bakery, 3, up to 6: the same states" \
	same_states bakery -E true bakery "3 --cap 6" -DCAP=6
check "bakery@no-choosing, 2, up to 4: the same states" same_states bakery \
	-E false bakery@no-choosing "2 --cap 4" -DCAP=4 -DNO_CHOOSING
check "fast, 3: mutual exclusion" \
	agree fast -DSAFETY "" true fast 3 1 k-exclusion
check "fast-outline, 2: mutual exclusion" agree fast \
	-DSAFETY "" false fast-outline 2 1 k-exclusion -DOUTLINE
check "fast@no-want, 2: mutual exclusion" agree fast \
	-DSAFETY "" false fast@no-want 2 1 k-exclusion -DNO_WANT
check "fast, 3: somebody always enters (fair)" \
	agree fast -DNP "-l -f" true fast 3 1 deadlock-freedom
check "fast@book, 2: nobody need ever enter (fair)" agree fast \
	-DNP "-l -f" false fast@book 2 1 deadlock-freedom -DBOOK
check "litmus: own stores, message passing" decide litmus "" true -DTSO
check "litmus: store buffering" decide litmus "" false -DTSO -DSB
check "litmus: store buffering, fenced" decide litmus "" true -DTSO -DSB -DFENCED
check "litmus: no store buffering without buffers" decide litmus "" true -DSB
# With store buffers neither excludes any more, until it has all its fences.
tso="--memory-model tso"
for n in 2 3; do
	check "one-bit with store buffers, $n: the same states" \
		same_states one-bit "" false one-bit "$n $tso" -DTSO
	check "one-bit:fenced, $n: the same states" \
		same_states one-bit "" true one-bit:fenced $n -DFENCED=3
	check "one-bit:fenced with store buffers, $n: the same states" \
		same_states one-bit "" true one-bit:fenced "$n $tso" -DTSO -DFENCED=3
	check "one-bit:fenced@unfenced-want with store buffers, $n: the same states" \
		same_states one-bit "" false one-bit:fenced@unfenced-want "$n $tso" \
		-DTSO -DFENCED=2
	check "one-bit:fenced@unfenced-again with store buffers, $n: the same states" \
		same_states one-bit "" false one-bit:fenced@unfenced-again "$n $tso" \
		-DTSO -DFENCED=1
done
check "one-bit@no-want with store buffers, 2: the same states" same_states \
	one-bit "" false one-bit@no-want "2 $tso" -DTSO -DNO_WANT
check "bakery with store buffers, 2, up to 4: the same states" same_states \
	bakery -E false bakery "2 --cap 4 $tso" -DTSO -DCAP=4
check "bakery@no-choosing with store buffers, 2, up to 4: the same states" \
	same_states bakery -E false bakery@no-choosing "2 --cap 4 $tso" \
	-DTSO -DCAP=4 -DNO_CHOOSING
check "bakery:fenced, 2, up to 4: the same states" same_states \
	bakery -E true bakery:fenced "2 --cap 4" -DCAP=4 -DFENCED=5
for size in "2 --cap 4" "3 --cap 6"; do
	check "bakery:fenced with store buffers, $size: the same states" same_states \
		bakery -E true bakery:fenced "$size $tso" -DTSO "-DCAP=${size##* }" \
		-DFENCED=5
done
check "bakery:fenced@unfenced-choosing with store buffers, 2, up to 4: the same states" \
	same_states bakery -E false bakery:fenced@unfenced-choosing "2 --cap 4 $tso" \
	-DTSO -DCAP=4 -DFENCED=4
check "bakery:fenced@unfenced-number with store buffers, 2, up to 4: the same states" \
	same_states bakery -E false bakery:fenced@unfenced-number "2 --cap 4 $tso" \
	-DTSO -DCAP=4 -DFENCED=1
# The fence after choosing is cleared does as well as that after the number is taken;
# no variant has it.
check "bakery with store buffers, 2, up to 4, the other pair of fences" \
	decide bakery -E true -DN=2 -DCAP=4 -DTSO -DFENCED=3
check "bakery with store buffers, 2, up to 4, that fence alone" \
	decide bakery -E false -DN=2 -DCAP=4 -DTSO -DFENCED=2
# Who leaves right after a release: trying again is needed only with store buffers,
# and only if nothing between the two empties them, as the unlocking of the bell does.
for tso in "" -DTSO; do
	corner="leave${tso:+ with store buffers}"
	lost=${tso:+false}
	leave() { # WANTED SPIN-OPTION...
		wanted=$1
		shift
		# shellcheck disable=SC2086 # no word, or one
		decide leave "" "$wanted" -DN=2 -DLAPS=1 $tso "$@"
	}
	check "$corner, by storing the bell" leave true -DBELL_STORE
	check "$corner, the bell last" leave true -DBELL_LAST
	check "$corner, once" leave true -DONCE
	check "$corner, once, by storing the bell" \
		leave "${lost:-true}" -DONCE -DBELL_STORE
	check "$corner, once, the bell last" \
		leave "${lost:-true}" -DONCE -DBELL_LAST
	check "$corner, and one dies" leave true -DCRASH
	check "$corner, nothing settled" leave false -DNO_SETTLE
done
done_testing
