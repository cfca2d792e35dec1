# Completion of wicket(1) for bash, with or without the package bash-completion.
# shellcheck shell=bash

# _wicket_words: the words up to the cursor as they were typed, into words; bash
# has cut them at COMP_WORDBREAKS. starts: the piece with which each begins.
_wicket_words() {
	local rest=${COMP_LINE:0:COMP_POINT} blank piece i

	words=() starts=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		blank=${rest%%[^[:space:]]*}
		rest=${rest#"$blank"}
		piece=$rest
		((i == COMP_CWORD)) || piece=${COMP_WORDS[i]}
		rest=${rest#"$piece"}
		if [[ $blank || $i -eq 0 ]]; then
			words+=("$piece")
			starts+=("$i")
		else
			words[-1]+=$piece
		fi
	done
}

# _wicket_unquote WORD: what it means, into typed; quote: the one that is open;
# cut: how much of typed readline leaves alone, as it replaces only what follows
# the last break.
_wicket_unquote() {
	local text=$1 c

	typed='' quote='' cut=0
	while [[ $text ]]; do
		c=${text:0:1}
		text=${text:1}
		case $quote$c in
		\\ | \"\\)
			typed+=${text:0:1}
			text=${text:1}
			;;
		[\'\"])
			quote=$c
			cut=${#typed}
			;;
		"''" | '""')
			quote=''
			cut=${#typed}
			;;
		*)
			if [[ ! $quote && $COMP_WORDBREAKS == *"$c"* ]]; then
				cut=${#typed}
				# an @ belongs to what follows it
				[[ $c == @ ]] || ((cut++))
			fi
			typed+=$c
			;;
		esac
	done
}

# _wicket_offer WORD...: those that begin with what was typed, quoted as it was.
_wicket_offer() {
	local word

	for word; do
		[[ $word == "$typed"* ]] || continue
		word=${word:cut}
		[[ $quote ]] || printf -v word %q "$word"
		COMPREPLY+=("$word")
	done
}

# _wicket_files: those that begin with what was typed; readline quotes them.
_wicket_files() {
	local file

	compopt -o filenames
	while IFS= read -r file; do
		COMPREPLY+=("${file:cut}")
	done < <(compgen -f -- "$typed")
}

# _wicket_lines WICKET: names of lines, or paths.
_wicket_lines() {
	local name names=()

	if [[ $typed == */* ]]; then
		_wicket_files
		return
	fi
	# the strings of JSON, which may contain anything but a slash
	while IFS= read -r name; do
		printf -v name %b "${name//\\\"/\"}"
		names+=("$name")
	done < <("${1/#\~/$HOME}" list --json 2>/dev/null |
		grep -oE '"line": ?"([^"\\]|\\.)*"' |
		sed -E 's/^"line": ?"(.*)"$/\1/')
	_wicket_offer "${names[@]}"
}

# _wicket_command N: the Nth word is the name of a command, its arguments follow.
_wicket_command() {
	local commands

	if declare -F _command_offset >/dev/null; then
		_command_offset "${starts[$1]}"
	elif (($1 < last)); then
		compopt -o bashdefault -o default
	elif [[ $typed == */* ]]; then
		_wicket_files
	else
		mapfile -t commands < <(compgen -c -- "$typed" | sort -u)
		_wicket_offer "${commands[@]}"
	fi
}

# _wicket_value OPTION: what may follow it.
_wicket_value() {
	local variables

	case $1 in
	--slot-var)
		mapfile -t variables < <(compgen -A export)
		_wicket_offer "${variables[@]}" CUDA_VISIBLE_DEVICES
		;;
	--mode) _wicket_offer 600 660 ;;
	--nested) _wicket_offer pass take refuse ;;
	--store) _wicket_offer etcd:// etcds:// ;;
	-N | --units) _wicket_offer all ;;
	esac
}

# _wicket_option: the last word is one of run, perhaps with its value.
_wicket_option() {
	local option=${typed%%=*}

	if [[ $option != "$typed" ]]; then
		typed=${typed#*=}
		cut=$((cut > ${#option} ? cut - ${#option} - 1 : 0))
		_wicket_value "$option"
		return
	fi
	_wicket_offer -j --slots -n --nonblock -w --timeout -E \
		--conflict-exit-code -o --close -c --command -v --verbose \
		--slot-var --map --nested --mode --trust --store -N --units --ttl -h --help \
		-V --version
}

# _wicket_after N: the last word is behind NAME, which is the Nth.
_wicket_after() {
	local next=$(($1 + 1))

	if [[ ${words[next]} != -* ]]; then
		_wicket_command "$next"
	elif ((next == last)); then
		_wicket_offer -c --command --
	elif [[ ${words[next]} == -- ]]; then
		_wicket_command $((next + 1))
	fi
}

# _wicket_run WICKET
_wicket_run() {
	local valued='^(-[nocv]*[jwEN]|--(slots|timeout|wait|conflict-exit-code|slot-var|map|nested|mode|store|units|ttl))$'
	local shell='^(-[nov]*c[nov]*|--command)$' string='' name

	for ((name = 2; name < last; name++)); do
		[[ ${words[name]} == -?* && ${words[name]} != -- ]] || break
		[[ ! ${words[name]} =~ $shell ]] || string=yes
		[[ ! ${words[name]} =~ $valued ]] || ((name++))
	done
	if ((name > last)); then
		_wicket_value "${words[last - 1]}"
		return
	elif ((name == last)) && [[ $typed == -* ]]; then
		_wicket_option
		return
	fi
	[[ ${words[name]} != -- ]] || ((name++))
	if ((name == last)); then
		_wicket_lines "$1"
	elif [[ ! $string ]]; then
		_wicket_after "$name"
	fi
}

# _wicket_look WICKET OPTION...: a command that takes OPTIONs and at most one NAME.
_wicket_look() {
	local wicket=$1 word

	shift
	if [[ $typed == -* ]]; then
		_wicket_offer "$@" -h --help
		return
	fi
	for word in "${words[@]:2:last-2}"; do
		[[ $word == -* ]] || return
	done
	_wicket_lines "$wicket"
}

_wicket() {
	local words starts last typed quote cut

	COMPREPLY=()
	_wicket_words
	last=$((${#words[@]} - 1))
	_wicket_unquote "${words[last]}"
	if ((last == 1)); then
		_wicket_offer run status list rm resize doctor
		[[ $typed != -* ]] || _wicket_offer -h --help -V --version
		return
	fi
	case ${words[1]} in
	run) _wicket_run "$1" ;;
	status) _wicket_look "$1" --json --watch --store ;;
	list) _wicket_offer --json --store -h --help ;;
	rm | doctor) _wicket_look "$1" --store ;;
	resize) _wicket_look "$1" --wait --store ;;
	esac
}

complete -F _wicket wicket
