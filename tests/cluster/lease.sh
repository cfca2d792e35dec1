#!/bin/sh
# The lease that the processes of a host share: generation after generation, as somebody
# revokes it; and it is kept alive, though who is dead cannot be buried.
# usage: lease.sh PARTICIPANT ETCD SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
participant=$1 etcd=$2 tree=$3
. "$tree/tests/tap.sh"
. "$tree/tests/cluster/etcd.sh"
. "$tree/tests/cluster/people.sh"
. "$tree/tests/cluster/network.sh"

etcd_one one
etcd_await "$etcd_endpoint"
export ETCDCTL_ENDPOINTS="$etcd_endpoint"

# leases LINE: of those who live.
leases() {
	keys "$1" | sed -n 's,^live/\([0-9a-f]*\)-.*,\1,p' | sort -u
}
# one_lease LINE [OTHER...]: there is one, none of those; it is $lease.
one_lease() {
	lease=$(leases "$1")
	shift
	[ "$(echo "$lease" | wc -w)" = 1 ] || ! echo "leases: $lease" || return
	for other in "$@"; do
		[ "$lease" != "$other" ] || return
	done
}

# --- generations: three hold, and one waits; each time the lease is revoked, all learn it,
# and come again with another one
host=generations old=
for i in 1 2 3; do
	begin "first-$i" turns 3 --hold 600000 --ttl 4
done
check "three hold slots" enter first-1 first-2 first-3
begin first-4 turns 3 --hold 600000 --ttl 4
check "a fourth waits" wait_for turns 1
for generation in second third fourth; do
	case $generation in
	second) before=first ;;
	third) before=second ;;
	fourth) before=third ;;
	esac
	# shellcheck disable=SC2086 # words, or none
	check "they have one lease, a new one ($before)" one_lease turns $old
	old="$old $lease"
	check "it is revoked ($before)" ctl lease revoke "$lease"
	check "all learn it ($before)" \
		finish 76 "$before-1" "$before-2" "$before-3" "$before-4"
	for i in 1 2 3; do
		begin "$generation-$i" turns 3 --hold 600000 --ttl 4
	done
	check "three others get in ($generation)" \
		enter "$generation-1" "$generation-2" "$generation-3"
	begin "$generation-4" turns 3 --hold 600000 --ttl 4
	check "and a fourth waits ($generation)" wait_for turns 1
	check "nothing of the others is left ($generation)" soon count_is turns seat 4
done
# shellcheck disable=SC2086 # words
check "the last have one lease, too" one_lease turns $old
# what they do as to the dead they do in any generation
strike KILL fourth-1 dead
check "one is killed, and the fourth gets in" enter fourth-4
check "its keys are gone" soon count_is turns live 3
check "they leave" leave fourth-2 fourth-3 fourth-4
check "nothing is left of any generation" empty turns

# all at once, and again and again: whoever loses its lease opens another handle
for i in 1 2 3 4 5 6; do
	begin "wheel-$i" wheel 2 --rounds 40 --hold 100 --ttl 4 --persist
done
revoke_all() {
	for lease in $(leases wheel); do
		ctl lease revoke "$lease" >"$work/revoked" 2>&1
	done
	true
}
some_live() {
	[ -n "$(leases wheel)" ]
}
for i in 1 2 3 4; do
	soon some_live && sleep 0.5 && revoke_all
	strike KILL "wheel-$i"
	begin "wheel-again-$i" wheel 2 --rounds 10 --hold 100 --ttl 4 --persist
done
check "leases end while some are killed: the others have all their rounds" \
	finish 0 wheel-5 wheel-6 wheel-again-1 wheel-again-2 wheel-again-3 wheel-again-4
begin wheel-last wheel 2 --units 2 --hold 600000 --ttl 4
check "no slot is lost" enter wheel-last
check "the last one leaves" leave wheel-last
check "nothing is left of the wheel" soon empty wheel

# --- the dead have to wait: answers to transactions are lost, those to keepalives are not
host=near
check "a proxy is there" begin_network
# shellcheck disable=SC2154 # begin_network says it
ETCDCTL_ENDPOINTS=$proxy_endpoint
begin near-1 near 2 --hold 600000 --ttl 2
begin near-2 near 2 --hold 600000 --ttl 2
check "two of a host hold slots, far from the server" enter near-1 near-2
check "no transaction is answered any more" network lose-reply=1 only=/v3/kv/txn
strike KILL near-2 dead
check "one is killed, and the other tries to bury it" \
	soon happened lose-reply 8 /v3/kv/txn
check "answers come again" network
check "the lease was kept alive: it still has its slot" leave near-1
check "and has told what the dead one had" soon count_is near live 0
begin near-3 near 2 --units 2 --hold 600000 --ttl 2
check "no slot was lost" enter near-3
check "who has both leaves" leave near-3
check "nothing is left of them" empty near
check "the proxy has nothing to say" test ! -s "$work/proxy.err"
done_testing
