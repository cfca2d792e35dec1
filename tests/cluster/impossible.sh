#!/bin/sh
# What is in the store, or in the file of a lease, though wicket has never written it: it is
# refused in words, at once, and nothing is written.
# usage: impossible.sh WICKET ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
wicket=$(readlink -f "$1") etcd=$2 tree=$(readlink -f "$3")
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/jobs.sh"

etcd_one one
etcd_await "$etcd_endpoint"
store=etcd://$etcd_endpoint

# --- values
# w LINE K ISSUE VALID SLOTS WAITING, and the other keys
w() {
	ctl put "wicket/$1/w" "{\"format\":1,\"k\":$2,\"issue\":$3,\"valid\":$4,\
\"slots\":[$5],\"waiting\":$6,\"grants\":0,\"recovered\":0,\"abandoned\":0,\
\"longest_wait\":0}" >written
}
waiter() {
	ctl put "wicket/$1/line/$2" \
		"{\"format\":1,\"id\":\"$3\",\"units\":$4,\"since\":0}" >written
}
ask() {
	ctl put "wicket/$1/ask/$2" \
		"{\"format\":1,\"asks\":\"$3\",\"units\":$4,\"slots\":[$5]}" >written
}
# all but who is there: its live key comes and goes
contents() {
	ctl get --prefix "wicket/$1/" -w json | sed 's/"header":{[^}]*}//'
}
# refused_by LINE KEY: all that would change it, and it is as it was.
refused_by() {
	line=$1 text="(wicket/$1/$2: "
	contents "$line" >before
	says 65 "$text" run -w 20 "$line" true &&
		says 65 "$text" run -n "$line" true &&
		says 65 "$text" resize "$line" 2 &&
		says 65 "$text" rm "$line" || return
	contents "$line" >after
	cmp before after
}
# wrong_by LINE KEY: the doctor says so.
wrong_by() {
	on doctor "$1" >out 2>&1
	[ $? -eq 1 ] && grep -F "wicket/$1/$2: " out || ! cat out
}
# impossible LINE KEY
impossible() {
	check "$1: refused, and nothing is written" refused_by "$1" "$2"
	check "$1: the doctor calls it damage" wrong_by "$1" "$2"
}
w all-held 511 '[0,0]' '[5,0]' "$(seq -s , 0 510)" 0
impossible all-held w
w far-ahead 1 '[0,0]' '[0,2147483646]' "" 0
impossible far-ahead w
w two-wait 511 '[1022,0]' '[1022,0]' "" 2
waiter two-wait 00000000000000000511 x 511
waiter two-wait 00000000000000001022 y 511
impossible two-wait w
w asks-for-none 1 '[1,0]' '[0,0]' 0 1
waiter asks-for-none 00000000000000000001 y 1
ask asks-for-none x take 0 ""
impossible asks-for-none ask/x
w too-few-wait 1 '[1,0]' '[0,0]' "" 0
waiter too-few-wait 00000000000000000001 y 1
impossible too-few-wait w
w too-many-wait 1 '[9,0]' '[9,0]' "" 5
impossible too-many-wait w
w gives-back 2 '[0,0]' '[2,0]' "" 0
ask gives-back x leave 2 5,6
impossible gives-back ask/x
w twice 3 '[3,0]' '[0,0]' "" 2
waiter twice 00000000000000000001 x 1
waiter twice 00000000000000000002 x 1
impossible twice line/00000000000000000002
w end-of-all 1 '[1048575,2147483647]' '[1048575,2147483647]' "" 0
impossible end-of-all w

# --- the file of a lease
# spoil FIELD VALUE: of the file of here.
spoil() {
	python3 - "$WICKET_DIR"/.etcd2-* "$@" <<'PYTHON'
import struct, sys
path, field, value = sys.argv[1:]
at = dict(format=0, beat=8, id=16, seconds=24, tried=32, looked=40, last=48, place=56)
with open(path, "r+b") as f:
    f.seek(at[field])
    f.write(struct.pack("<I" if field == "format" else "<Q", int(value, 0) % 2**64))
PYTHON
}
check "one makes the file" gives 0 run -j 2 lease true
for what in "seconds 0" "seconds -5" "seconds 0x4000000000000000" \
	"seconds 10000000000" "id 0" "id -1" "beat -1" "beat 0x1ffffffffff" \
	"beat 0xffffff0000000000" "tried 0x4000000000000000" "looked -1" \
	"last -1" "place 12345" "format 7"; do
	# shellcheck disable=SC2086 # two words
	spoil $what
	check "$what: it is begun anew" gives 0 run -w 20 lease true
done
begin user lease
check "one has a part in the lease" enter user
spoil seconds 0
check "another one has a lease of its own" gives 0 run -w 20 lease true
check "who had a part is not disturbed" leave user
check "then it is begun anew" gives 0 run -w 20 lease true
mended() {
	[ "$(od -An -td8 -j24 -N8 "$WICKET_DIR"/.etcd2-* | tr -d ' ')" = 10 ]
}
check "and is as it should be" mended

# --- more units than slots
# not_made COMMAND ARG...: it is refused, and there is no line.
not_made() {
	says 78 "fewer than -N 3" "$@" && says 66 "no such line" rm new
}
check "more units than slots make no line" not_made run -N 3 -j 2 new true
check "nor do more than values" not_made run -N 3 --slot-var V --map a,b new true
done_testing
