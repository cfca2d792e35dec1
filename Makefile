# The front door; meson does the work.
#   make          build
#   make demo     install what is missing, build, and watch a line at work
#   make proof    the same, and watch the algorithm decided at small sizes
#   make check    install what is missing, then every test, gcc and clang
#   make soak     the long ones
#   make bench    line and command beside their peers, the verifier beside SPIN
#   make expect   write tests/expect.tsv and space.tsv anew (explain every change)
#   make install  PREFIX=/usr/local by default

PREFIX ?= /usr/local
BUILD = build

.PHONY: all demo proof check soak bench expect install clean

all: $(BUILD)/build.ninja
	@out=$$(ninja -C $(BUILD) --quiet) || { echo "$$out"; exit 1; }

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || { \
		echo "make: meson is missing; tools/setup installs it" >&2; exit 1; }
	@meson setup $(BUILD) --prefix=$(PREFIX) >/dev/null

demo:
	@tools/setup
	@$(MAKE) --no-print-directory all
	@$(BUILD)/wicket-demo $(BUILD)/wicket

proof:
	@tools/setup
	@$(MAKE) --no-print-directory all
	@tools/proof $(BUILD)/wicket-verify

check:
	@tools/setup
	@tools/check

soak:
	@tools/setup
	@$(MAKE) --no-print-directory all
	@tools/soak $(BUILD)

bench:
	@tools/setup
	@$(MAKE) --no-print-directory all
	@$(BUILD)/bench/bench-line
	@bench/run $(BUILD)/wicket
	@bench/verify $(BUILD)/wicket-verify
	@bench/exec $(BUILD)/wicket-verify

expect: all
	@tools/expect $(BUILD)/wicket-verify 4 > tests/expect.tsv.new
	@mv tests/expect.tsv.new tests/expect.tsv
	@tools/space $(BUILD)/wicket-verify 4 > tests/space.tsv.new
	@mv tests/space.tsv.new tests/space.tsv
	@git --no-pager diff --stat tests/expect.tsv tests/space.tsv

install: all
	@meson configure $(BUILD) --prefix=$(PREFIX)
	@meson install -C $(BUILD) --quiet

clean:
	@rm -rf $(BUILD) $(BUILD)-*
