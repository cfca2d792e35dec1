#!/bin/sh
# Format: clang-format for C, shellcheck for shell scripts (found by their first
# line), mandoc for manual pages. What is not installed is skipped, visibly.
# usage: format.sh SOURCE-DIR [MANUAL-PAGE...]
# shellcheck disable=SC2317 # functions are called by check
tree=$1
shift
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tree" || exit 1

# files: all of the tree, without what is built or fetched.
files() {
	find . -name .git -prune -o -name 'build*' -type d -prune -o -type f \
		"$@" -print | sort
}

if ! command -v clang-format >/dev/null; then
	skip "C as clang-format has it" "clang-format is missing"
else
	for file in $(files -name '*.[ch]'); do
		check "${file#./} as clang-format has it" \
			clang-format --dry-run -Werror "$file"
	done
fi

scripts() {
	files | while read -r file; do
		case $file in
		*.sh | *.bash) echo "$file" ;;
		*) head -n 1 "$file" | grep -qaE '^#!.*[/ ](ba|da)?sh( |$)' &&
			echo "$file" ;;
		esac
	done
}
if ! command -v shellcheck >/dev/null; then
	skip "shell scripts as shellcheck has them" "shellcheck is missing"
else
	for file in $(scripts); do
		check "${file#./} as shellcheck has it" \
			shellcheck -x -P SCRIPTDIR -P . "$file"
	done
fi

# scdoc itself writes paragraph macros that mandoc finds superfluous.
lint() {
	mandoc -Tlint -W warning "$1" >"$work/lint" 2>&1
	! grep -v 'skipping paragraph macro: PP' "$work/lint"
}
not() {
	! "$@"
}
if ! command -v mandoc >/dev/null; then
	skip "manual pages as mandoc has them" "mandoc is missing"
else
	printf '.TH NAME 1 2000-01-01\n.SH NAME\n.nonsense\n' >"$work/control.1"
	check "an unknown macro is seen" not lint "$work/control.1"
	for page in "$@"; do
		check "$(basename "$page") as mandoc has it" lint "$page"
	done
	for source in man/*.scd; do
		[ -e "$source" ] || continue
		page=$work/$(basename "$source" .scd)
		if ! command -v scdoc >/dev/null; then
			skip "$source as mandoc has it" "scdoc is missing"
			continue
		fi
		check "$source as scdoc has it" \
			sh -c "scdoc <'$source' >'$page'"
		check "$source as mandoc has it" lint "$page"
	done
fi
done_testing
