# The front door; meson does the work. make help prints the list:
#   make            build the library, wicket and wicket-verify
#   make demo       install what is missing, and watch a line at work
#   make demo-cluster  the same with three servers of etcd, one of which is killed
#   make proof      the same, and watch the algorithm decided at small sizes
#   make check      install what is missing, then every test: gcc, clang, sanitizers
#   make check-all  the same, and the suites that take long or need more packages
#   make soak       the long ones
#   make mutants    would the tests notice a bug? (MUTANTS='--sample 100', hours without)
#   make bench      line and command beside their peers, the verifier beside SPIN
#   make bench-cluster  a line in etcd beside bare transactions, and etcd's own lock
#   make expect     write tests/expect.tsv and space.tsv anew (explain every change)
#   make install    PREFIX=/usr/local unless configured otherwise; DESTDIR for packages
#   make uninstall  take back what was installed
#   make clean      remove what was built
# meson configure build lists the options: tool, verify, cluster, tests, man.

PREFIX ?=
BUILD = build

build = PREFIX='$(PREFIX)' tools/build '$(BUILD)'

.PHONY: all help demo demo-cluster proof check check-all soak mutants bench bench-cluster expect install uninstall clean

all:
	@$(build) product

help:
	@sed -n 's/^#   //p' Makefile

demo:
	@tools/setup demo
	@$(build) wicket wicket-demo
	@$(BUILD)/wicket-demo $(BUILD)/wicket

demo-cluster:
	@tools/setup demo-cluster
	@$(build) wicket wicket-etcd wicket-demo-cluster
	@$(BUILD)/wicket-demo-cluster $(BUILD)/wicket

proof:
	@tools/setup demo
	@$(build) wicket-verify
	@tools/proof $(BUILD)/wicket-verify

check:
	@tools/setup
	@tools/check

check-all:
	@tools/setup all
	@tools/check --all

soak:
	@tools/setup
	@$(build) all
	@tools/soak $(BUILD)

mutants:
	@tools/setup
	@tools/mutants $(MUTANTS)

bench:
	@tools/setup
	@$(build) product bench/bench-line bench/bench-count bench/bench-cold
	@$(BUILD)/bench/bench-line
	@$(BUILD)/bench/bench-count --seconds 20
	@$(BUILD)/bench/bench-cold
	@bench/run $(BUILD)/wicket
	@bench/verify $(BUILD)/wicket-verify
	@bench/exec $(BUILD)/wicket-verify

bench-cluster:
	@tools/setup all
	@$(build) bench/cluster-client
	@bench/cluster $(BUILD)/bench/cluster-client

expect:
	@$(build) wicket-verify
	@tools/expect $(BUILD)/wicket-verify 4 > tests/expect.tsv.new
	@mv tests/expect.tsv.new tests/expect.tsv
	@tools/space $(BUILD)/wicket-verify 4 > tests/space.tsv.new
	@mv tests/space.tsv.new tests/space.tsv
	@git --no-pager diff --stat tests/expect.tsv tests/space.tsv

install: all
	@DESTDIR='$(DESTDIR)' tools/install '$(BUILD)'

uninstall:
	@tools/install --undo '$(BUILD)'

clean:
	@rm -rf '$(BUILD)' '$(BUILD)'-*
