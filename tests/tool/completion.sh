#!/bin/sh
# Completion, typed at the prompts of real shells on real terminals: bash without
# and with the package bash-completion, and zsh. What is not installed is skipped,
# visibly.
# usage: completion.sh WICKET WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2016 # what is for other shells is not expanded here
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") verify=$(readlink -f "$2") tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/bin" "$work/lines" "$work/gpu"
ln -s "$wicket" "$work/bin/wicket"
ln -s "$verify" "$work/bin/wicket-verify"
ln -s /bin/true "$work/bin/only-one-of-this-name"
touch "$work/a file"
export WICKET_DIR="$work/lines" LC_ALL=C.UTF-8 TERM=xterm
export PATH="$work/bin:$PATH"
cd "$work" || exit 1

# --- the shells

package=/usr/share/bash-completion/bash_completion
shells=
if command -v bash >/dev/null; then
	shells="bash"
	cat >bash.rc <<-END
		PS1='ready> '
		bind 'set bell-style none'
		bind 'set completion-query-items -1'
		bind 'set enable-bracketed-paste off'
		bind -x '"\C-g": printf "%s\n" "\$READLINE_LINE" >"$work/told"'
		. "$tree/completions/wicket.bash"
		. "$tree/completions/wicket-verify.bash"
	END
	if [ -e $package ]; then
		shells="$shells bash-completion"
		{ echo ". $package" && cat bash.rc; } >bash-completion.rc
	else
		skip "bash with bash-completion" "the package is missing"
	fi
else
	skip "bash" "bash is missing"
fi
if command -v zsh >/dev/null; then
	shells="$shells zsh"
	cat >.zshrc <<-END
		PROMPT='ready> '
		LISTMAX=10000
		unsetopt beep
		fpath=("$tree/completions" \$fpath)
		autoload -Uz compinit && compinit -D -u
		show() { print -r -- "\$BUFFER" >"$work/told" }
		zle -N show && bindkey '^G' show
		zle -C all complete-word _generic && bindkey '^[*' all
		zstyle ':completion:all:*' completer _all_matches _complete
		zstyle ':completion:all:*' insert true
	END
else
	skip "zsh" "zsh is missing"
fi

# typed SHELL <TEXTS: what the command line is then, for each, but for blanks, and
# signs that a value may follow, at the end of a word.
typed() {
	case $1 in
	zsh) set -- zsh -d -i ;;
	*) set -- bash --noprofile --rcfile "$1.rc" -i ;;
	esac
	ZDOTDIR=$work python3 "$tree/tests/tool/typed.py" "$work/told" "$@" |
		sed 's/= / /g; s/[= ]*$//'
}

tab=$(printf '\t') all=$(printf '\033*')
# note KEY TEXT LINE: one of the cases, for ask.
note() {
	printf '%s\n' "$2$1" >>texts
	printf '%s\n' "$2" >>shown
	printf '%s\n' "$3" >>expected
}
# completes TEXT LINE: by a tab.
completes() {
	note "$tab" "$1" "$2"
}
# offers TEXT LINE: all that there is.
offers() {
	note "$all" "$1" "$2"
}
# stays TEXT: there is nothing to add.
stays() {
	note "$tab" "$1" "$1"
}
same() {
	printf '%s\n' "$1"
	[ "$1" = "$2" ]
}
# ask SHELL...: all cases, in each of them.
ask() {
	for shell; do
		typed "$shell" <texts >got
		while IFS= read -r text <&3 && IFS= read -r line <&4; do
			IFS= read -r result <&5
			check "$shell: $text becomes $line" same "$result" "$line"
		done 3<shown 4<expected 5<got
	done
	rm -f texts shown expected got
}

# --- commands and options
offers 'wicket ' 'wicket doctor list resize rm run status'
completes 'wicket st' 'wicket status'
completes 'wicket run --slot-' 'wicket run --slot-var'
completes 'wicket run -n --conf' 'wicket run -n --conflict-exit-code'
offers 'wicket run --mode ' 'wicket run --mode 600 660'
completes 'wicket run --mode=66' 'wicket run --mode=660'
completes 'wicket run --slot-var WICKET_D' 'wicket run --slot-var WICKET_DIR'
completes 'wicket status --w' 'wicket status --watch'
completes 'wicket list --j' 'wicket list --json'
stays 'wicket list --w'
completes 'wicket run -N a' 'wicket run -N all'
completes 'wicket rm --s' 'wicket rm --store'
completes 'wicket resi' 'wicket resize'
completes 'wicket resize --w' 'wicket resize --wait'

# --- lines
for name in gpu 'two words' host:0 ada@home "it's" 'back\slash' 'quo"te' größe \
	'$HOME' '=' 'new
line'; do
	wicket run -j 1 "$name" true || check "a line '$name'" false
done
completes 'wicket run gp' 'wicket run gpu'
stays 'wicket run nosuch'
completes 'wicket status gp' 'wicket status gpu'
completes 'wicket status --json gp' 'wicket status --json gpu'
completes 'wicket rm gp' 'wicket rm gpu'
completes 'wicket doctor gp' 'wicket doctor gpu'
stays 'wicket rm gpu gp'
offers 'wicket run g' 'wicket run gpu größe'
completes 'wicket run -j 3 -nE 4 gp' 'wicket run -j 3 -nE 4 gpu'
completes 'wicket run --timeout 3 -- gp' 'wicket run --timeout 3 -- gpu'
stays 'wicket run -j gp'
completes 'wicket run tw' 'wicket run two\ words'
completes 'wicket run two\ w' 'wicket run two\ words'
completes 'wicket run "two w' 'wicket run "two words"'
completes "wicket run 'two w" "wicket run 'two words'"
completes 'wicket run host:' 'wicket run host:0'
completes 'wicket run ada' 'wicket run ada@home'
completes 'wicket run ada@h' 'wicket run ada@home'
completes 'wicket run it' "wicket run it\\'s"
completes 'wicket run bac' 'wicket run back\\slash'
completes 'wicket run quo' 'wicket run quo\"te'
completes 'wicket run grö' 'wicket run größe'
completes 'wicket run \$H' 'wicket run \$HOME'
completes 'wicket run ./a' 'wicket run ./a\ file'

# --- what follows the line
for before in 'gpu' '-j 2 -- gpu' 'two\ words' 'host:0' 'gpu --' '--map=1,2 gpu'; do
	completes "wicket run $before only-one-of" \
		"wicket run $before only-one-of-this-name"
	completes "wicket run $before cat a" "wicket run $before cat a\\ file"
done
completes 'wicket run gpu --com' 'wicket run gpu --command'
stays 'wicket run gpu -c only-one-of'
stays 'wicket run -c gpu only-one-of'
stays 'wicket run --command gpu only-one-of'
# --- wicket-verify
offers 'wicket-verify ' \
	'wicket-verify adversary check equiv exec list random replay space table'
offers 'wicket-verify check queue' \
	'wicket-verify check queue queue:1979 queue@lifo queue@no-remove'
completes 'wicket-verify check colored:tight@' \
	'wicket-verify check colored:tight@symmetric-tie'
completes 'wicket-verify equiv queue unb' \
	'wicket-verify equiv queue unbounded-colored'
completes 'wicket-verify check colored -n 4 --property fi' \
	'wicket-verify check colored -n 4 --property fifo-enabling'
completes 'wicket-verify check colored --property=fi' \
	'wicket-verify check colored --property=fifo-enabling'
offers 'wicket-verify check colored:tight --property O' \
	'wicket-verify check colored:tight --property O1 O2 O3 O4 O5'
offers 'wicket-verify check recoverable --sleep ' \
	'wicket-verify check recoverable --sleep exact generous timed'
completes 'wicket-verify exec one-b' 'wicket-verify exec one-bit'
offers 'wicket-verify exec one-bit --order ' \
	'wicket-verify exec one-bit --order acqrel relaxed seq-cst'
completes 'wicket-verify exec one-bit --proc' \
	'wicket-verify exec one-bit --processes'
completes 'wicket-verify replay a' 'wicket-verify replay a\ file'
completes 'wicket-verify table --u' 'wicket-verify table --upto'
stays 'wicket-verify table --prop'

# shellcheck disable=SC2086 # words on purpose
ask $shells

# --- what only some can: the arguments of the command as the command has them
completes 'wicket run gpu wicket-verify che' 'wicket run gpu wicket-verify check'
completes 'wicket run host:0 -- wicket-verify check colored@lea' \
	'wicket run host:0 -- wicket-verify check colored@leads-strict'
# shellcheck disable=SC2046 # words on purpose
ask $(echo " $shells" | sed 's/ bash\( \|$\)/ /')

# --- nothing is forgotten
# names_in FILE SECTION: what the manual page defines there.
names_in() {
	sed -n "/^# $2\$/,/^# /s/^\\*\\([^-].*\\)\$/\\1/p" "$tree/man/$1" |
		tr ',' '\n' | sed 's/^ *\**//; s/\*.*//' | grep -v -e '-$'
}
# offered SHELL TEXT WORD...: each of them is among the offers.
offered() {
	got=" $(echo "$2$all" | typed "$1") "
	echo "$got"
	shift 2
	for word; do
		case $got in
		*" $word "*) ;;
		*) echo "$word is not offered" && return 1 ;;
		esac
	done
}
options() {
	"$@" --help | grep -oE -- '(^|[^[:alnum:]-])--[[:alpha:]-]+' | sed 's/^[^-]//' |
		sort -u
}
for shell in $shells; do
	# shellcheck disable=SC2046 # words on purpose
	check "$shell: all properties of wicket-verify(1)" \
		offered "$shell" 'wicket-verify check queue --property ' \
		$(names_in wicket-verify.1.scd PROPERTIES)
	# shellcheck disable=SC2046 # words on purpose
	check "$shell: all long options of wicket run" \
		offered "$shell" 'wicket run --' \
		$(options wicket | grep -vxE -e '--(json|watch)')
	# shellcheck disable=SC2046 # words on purpose
	check "$shell: all long options of wicket-verify check" \
		offered "$shell" 'wicket-verify check --' \
		$(options wicket-verify check)
done
done_testing
