# What is measured rather than tested.
.PHONY: bench-isa
bench-isa: $(B)/bin/sim-run $(B)/bin/corbel-scene \
           $(foreach t,native rv64 rv32,$(foreach s,records kernels floats path,$(B)/samples/$(t)/$(s))) ## measure simulated instructions a second (a few minutes)
	@B=$(B) ci/bench-isa

# The tools that make and trace rays, on this machine and on the target.
REPLAY_TOOLS := $(B)/bin/sim-run $(B)/bin/corbel-scene $(B)/bin/corbel-rays \
                $(B)/samples/rv64/replay

.PHONY: checked
checked: ## build simulator and unit tests with the rules for units checked
	@B=$(B) ci/variant checked bin/sim-run unit-tests

# The table of CONTRIBUTING.md.
.PHONY: docs-folders
docs: docs-folders
docs-folders:
	@ci/includes --renew

.PHONY: release bench
release: ## build sim-run in build/release, by a profile, no assertions
	@ci/setup build release
	@B=$(B) CC="$(CC)" OPT="$(OPT)" CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)" ci/speed/release

bench: $(REPLAY_TOOLS) $(B)/samples/rv64/streams ## measure the simulator's speed (10 minutes)
	@[ -n "$$SIM" ] || $(MAKE) --no-print-directory release
	@B=$(B) SIM=$${SIM:-$(B)/release/bin/sim-run} ci/bench

# What is looked at rather than run, and what runs are seen to reach.
.PHONY: lint coverage
lint: ## clang-tidy and cppcheck, of all C files (15 minutes of a processor)
	@ci/setup lint
	@ci/lint

coverage: all ## lines of the simulator that tests reach, by folder
	@B=$(B) ci/coverage --again
