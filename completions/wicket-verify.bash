# Completion of wicket-verify(1) for bash, with or without the package
# bash-completion.
# shellcheck shell=bash

# _wicket_verify_offer WORD...: those that begin with cur, without what readline
# leaves alone: it replaces only what follows the last break (: = @), and an @.
_wicket_verify_offer() {
	local kept=${cur%"${cur##*["$COMP_WORDBREAKS"]}"} word

	kept=${kept%@}
	for word; do
		[[ $word == "$cur"* ]] && COMPREPLY+=("${word:${#kept}}")
	done
}

# _wicket_verify_list WICKET-VERIFY PROGRAM: names that awk finds in the list.
_wicket_verify_list() {
	local names

	mapfile -t names < <("${1/#\~/$HOME}" list 2>/dev/null | awk "$2")
	_wicket_verify_offer "${names[@]}"
}

_wicket_verify_algorithms() {
	_wicket_verify_list "$1" "
		/^[^ ]/ { print name = \$1 }
		\$1 == \"variant\" || \$1 == \"mutant\" { print name \$2 }"
}

# _wicket_verify_properties WICKET-VERIFY: those of the papers, and the invariants
# of the algorithm that was named.
_wicket_verify_properties() {
	_wicket_verify_offer invariants
	_wicket_verify_list "$1" "
		\$1 == \"property\" { print \$2 }
		/^[^ ]/ { named = \$1 == \"${words[2]%%[:@]*}\" }
		named && \$1 == \"invariant\" { print \$2 }"
}

# _wicket_verify_operands WICKET-VERIFY
_wicket_verify_operands() {
	case ${words[1]} in
	check | equiv | adversary | exec | random) _wicket_verify_algorithms "$1" ;;
	replay) compopt -o default ;;
	esac
}

# _wicket_verify_help WICKET-VERIFY PROGRAM: what awk finds in the help of the
# command, whose second column is an option and its argument.
_wicket_verify_help() {
	"${1/#\~/$HOME}" "${words[1]}" --help 2>/dev/null | awk -F '  +' "$2"
}

# _wicket_verify_options WICKET-VERIFY: those of the command.
_wicket_verify_options() {
	local names

	mapfile -t names < <(_wicket_verify_help "$1" "\$2 ~ /^-/ {
		count = split(\$2, word, /[ ,]+/)
		for (i = 1; i <= count; i++) if (word[i] ~ /^-/) print word[i] }")
	_wicket_verify_offer "${names[@]}"
}

# _wicket_verify_argument WICKET-VERIFY OPTION: what the help calls its argument.
_wicket_verify_argument() {
	_wicket_verify_help "$1" "{ split(\$2, word, / /) }
		word[1] == \"$2\" { print word[2] }"
}

_wicket_verify() {
	local line=${COMP_LINE:0:COMP_POINT} words cur before argument=

	COMPREPLY=()
	read -ra words <<<"$line"
	[[ $line != *[[:space:]] ]] || words+=('')
	cur=${words[-1]} before=${words[-2]}
	if ((${#words[@]} == 2)); then
		_wicket_verify_offer list check equiv adversary exec random space table \
			replay
		[[ $cur != -* ]] || _wicket_verify_offer -h --help -V --version
		return
	fi
	if [[ $cur == --*=* ]]; then
		before=${cur%%=*}
		cur=${cur#*=}
	fi
	[[ $before == -* ]] &&
		argument=$(_wicket_verify_argument "$1" "$before")
	case $argument in
	P) _wicket_verify_properties "$1" ;;
	FILE) compopt -o default ;;
	[a-z]*)
		IFS='|' read -ra words <<<"$argument"
		_wicket_verify_offer "${words[@]}"
		;;
	'')
		if [[ $cur == -* ]]; then
			_wicket_verify_options "$1"
		else
			_wicket_verify_operands "$1"
		fi
		;;
	esac
}

complete -F _wicket_verify wicket-verify
