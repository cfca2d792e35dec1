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
	check | equiv | adversary | exec) _wicket_verify_algorithms "$1" ;;
	replay) compopt -o default ;;
	esac
}

_wicket_verify_options() {
	local limits=(--memory --timeout --json -h --help)

	case ${words[1]} in
	list) _wicket_verify_offer --json -h --help ;;
	check)
		_wicket_verify_offer -n -k -r --property --registers --crashes \
			--mid-write --failures --seats --laps --cap --abandons \
			--sleep --trace "${limits[@]}"
		;;
	equiv) _wicket_verify_offer -n -k -r "${limits[@]}" ;;
	adversary) _wicket_verify_offer -n -k --trace --json -h --help ;;
	space) _wicket_verify_offer -n -k --plot --bits "${limits[@]}" ;;
	exec)
		_wicket_verify_offer -n -k -r --seconds --processes --kill \
			--order --json -h --help
		;;
	table) _wicket_verify_offer --upto "${limits[@]}" ;;
	replay) _wicket_verify_offer --step "${limits[@]}" ;;
	esac
}

_wicket_verify() {
	local line=${COMP_LINE:0:COMP_POINT} words cur before

	COMPREPLY=()
	read -ra words <<<"$line"
	[[ $line != *[[:space:]] ]] || words+=('')
	cur=${words[-1]} before=${words[-2]}
	if ((${#words[@]} == 2)); then
		_wicket_verify_offer list check equiv adversary exec space table \
			replay
		[[ $cur != -* ]] || _wicket_verify_offer -h --help -V --version
		return
	fi
	if [[ $cur == --*=* ]]; then
		before=${cur%%=*}
		cur=${cur#*=}
	fi
	case $before in
	--property) _wicket_verify_properties "$1" ;;
	--registers) _wicket_verify_offer atomic safe ;;
	--failures) _wicket_verify_offer announced ;;
	--sleep) _wicket_verify_offer generous exact timed ;;
	--order) _wicket_verify_offer relaxed acqrel seq-cst ;;
	--trace | --plot) compopt -o default ;;
	-[nkr] | --crashes | --seats | --laps | --cap | --abandons | --upto | \
		--memory | --timeout | --seconds | --kill) ;;
	*)
		if [[ $cur == -* ]]; then
			_wicket_verify_options
		else
			_wicket_verify_operands "$1"
		fi
		;;
	esac
}

complete -F _wicket_verify wicket-verify
