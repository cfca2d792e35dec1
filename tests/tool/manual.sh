#!/bin/sh
# The manual pages and the programs say the same: every option of --help is in the
# page, every option and command of the page is known to the program. So do the README
# and wicket: what it tells to type can be typed.
# usage: manual.sh WICKET WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") verify=$(readlink -f "$2") tree=$3
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
export WICKET_DIR="$work"

# options: those in the text on standard input, one a line.
options() {
	grep -oE -- '(^|[^[:alnum:]-])--?[[:alpha:]][[:alpha:]-]*' |
		sed 's/^[^-]//' | sort -u
}
# defined PAGE: the lines that define options.
defined() {
	sed -n '/^# OPTIONS$/,/^# /s/\*//gp' "$tree/man/$1.scd" | grep '^-'
}
# commands PAGE PROGRAM: those of the synopsis.
commands() {
	sed -n "/^# SYNOPSIS\$/,/^# D/s/^\\*$2 \\([a-z]*\\)\\*.*/\\1/p" \
		"$tree/man/$1.scd" | sort -u
}
has() {
	printf '%s\n' "$1" | grep -qxF -e "$2"
}
# tried PROGRAM ARG...: what it says; nothing is found, created or waited for.
tried() {
	(cd "$work" && timeout 60 "$@" no/such/file </dev/null 2>&1)
}
unknown='no option|does not take|no such command|no command'
# known OPTION PROGRAM COMMAND...: one of the commands takes it, or the program.
known() {
	option=$1 program=$2
	shift 2
	for command in "$@" ''; do
		# shellcheck disable=SC2086 # none, or one
		tried "$program" $command "$option" >"$work/said"
		cat "$work/said"
		grep -qE "$unknown" "$work/said" || return 0
	done
	return 1
}
# understood COMMAND PROGRAM
understood() {
	tried "$2" "$1" --nonsense >"$work/said"
	cat "$work/said"
	! grep -qE 'no (such )?command' "$work/said"
}
not() {
	! "$@"
}
# synonym OPTION PAGE HELP: defined together with one that is in HELP.
synonym() {
	defined "$2" | while read -r line; do
		has "$(echo "$line" | options)" "$1" || continue
		for other in $(echo "$line" | options); do
			! has "$3" "$other" || echo yes
		done
	done | grep -q yes
}

# fits TEXT: a screen of 24 lines, 80 columns.
fits() {
	echo "$1" | awk 'length > 80 { bad = 1 } END { exit bad || NR > 24 }'
}

# agree PROGRAM PAGE: in both directions.
agree() {
	program=$1 page=$2 name=$(basename "$1")
	help=$("$program" --help) || check "$name --help" false
	in_page=$(defined "$page" | options)
	list=$(commands "$page" "$name")
	in_help=$(for command in '' $list; do
		# shellcheck disable=SC2086 # none, or one
		"$program" $command --help
	done | options)
	check "$name --help has options" test -n "$in_help"
	check "$name --help fits a screen" fits "$help"
	check "$page has commands" test -n "$list"

	for option in $in_help; do
		check "$page has $option of --help" has "$in_page" "$option"
	done
	# shellcheck disable=SC2086 # words on purpose
	check "$name does not know --nonsense" \
		not known --nonsense "$program" $list
	for option in $in_page; do
		# shellcheck disable=SC2086 # words on purpose
		check "$name knows $option of $page" \
			known "$option" "$program" $list
	done
	check "$name has no command 'nonsense'" \
		not understood nonsense "$program"
	for command in $list; do
		check "$name has the command $command of $page" \
			understood "$command" "$program"
		check "$name $command --help fits a screen" \
			fits "$("$program" "$command" --help)"
		check "$name --help has the command $command" \
			sh -c "echo \"\$1\" | grep -qwe '$command'" sh "$help"
	done
}

agree "$wicket" wicket.1
agree "$verify" wicket-verify.1
for property in $("$verify" list | awk '$1 == "property" { print $2 }'); do
	check "wicket-verify.1 defines $property" \
		sh -c "sed -n '/^# PROPERTIES/,/^# SPACE/p' '$tree/man/wicket-verify.1.scd' |
			grep -E '^\*(.*\*, \*)?$property\*'"
done

# What is not in the help is another word for what is.
in_help=$("$wicket" --help | options)
for option in $(defined wicket.1 | options); do
	has "$in_help" "$option" || check "$option is a synonym" \
		synonym "$option" wicket.1 "$in_help"
done
check "--nonsense is not a synonym" not synonym --nonsense wicket.1 "$in_help"

for variable in $("$wicket" --help | grep -oE 'WICKET_[A-Z]+' | sort -u); do
	check "wicket.1 has $variable of --help" \
		grep -qF "*$variable*" "$tree/man/wicket.1.scd"
done
for place in $("$wicket" --help | grep -oE '/[a-z]+/[a-zA-Z/-]+' | sort -u); do
	check "wicket.1 has $place of --help" \
		grep -qF "_${place}_" "$tree/man/wicket.1.scd"
done
check "no line was made" not sh -c "ls '$work' | grep -v '^said\$'"
# --- man wicket_acquire finds wicket(3), which has to have it
in_synopsis() {
	for function in $("$tree/man/functions" "$tree/include/wicket.h"); do
		grep -q "[ *]$function(" "$tree/man/wicket.3.scd" ||
			! echo "$function" || return 1
	done
}
check "each function of the header is in wicket(3)" in_synopsis

# --- the README: stand-ins for what is run; a ./train must know its GPU
examples() { # those that need no server
	sed -n '/--store/d; s/^    \(wicket run .*\)/\1/p' "$tree/README.md"
}
mkdir "$work/readme" "$work/readme/bin"
ln -s "$wicket" "$work/readme/bin/wicket"
for name in bin/python bin/rsync bin/make a.out; do
	echo '#!/bin/sh' >"$work/readme/$name"
	chmod +x "$work/readme/$name"
done
cat >"$work/readme/train" <<'TRAIN'
#!/bin/sh
case $CUDA_VISIBLE_DEVICES in
0 | 2 | 5) ;;
*) ! echo "on which GPU? not '$CUDA_VISIBLE_DEVICES'" ;;
esac
TRAIN
chmod +x "$work/readme/train"
runs() {
	(cd "$work/readme" && PATH=$PWD/bin:$PATH timeout 60 sh -c "$1")
}
check "the README has commands to type" test -n "$(examples)"
while IFS= read -r line; do
	check "README: ${line%% #*}" runs "$line"
done <<EXAMPLES
$(examples)
EXAMPLES
done_testing
