# libdram: the DRAM controller and its devices, independent of the units.
DRAM_SRC := $(filter-out %_test.c,$(wildcard sim/dram/*.c))
DRAM_LIB := $(B)/lib/libdram.a
$(DRAM_LIB): $(DRAM_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# dram-run: replays a request file.
DRAM_RUN_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_test.c,$(wildcard sim/dram/replay/*.c)))
$(B)/bin/dram-run: $(DRAM_RUN_OBJ) $(DRAM_LIB) $(B)/lib/libcore.a $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lz $(LDFLAGS)

.PHONY: dram-run
dram-run: $(B)/bin/dram-run ## build the tool that replays DRAM traces
sim: $(B)/bin/dram-run

.PHONY: install-dram
install: install-dram
install-dram: $(B)/bin/dram-run
	@mkdir -p $(DESTDIR)$(PREFIX)/bin
	@install -m 755 $(B)/bin/dram-run $(DESTDIR)$(PREFIX)/bin

DRAM_TESTS := $(patsubst sim/dram/%.c,$(B)/tests/dram/%,$(wildcard sim/dram/*_test.c))
$(B)/tests/dram/%: $(B)/obj/sim/dram/%.o $(DRAM_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lz -lm $(LDFLAGS)
UNIT_TESTS += $(DRAM_TESTS)

# dram-bench: requests per CPU second.
$(B)/bench/dram-bench: $(B)/obj/sim/dram/bench/main.o $(DRAM_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS)

.PHONY: bench-dram
bench-dram: ## requests a CPU second of the DRAM model, against the reference
	@ci/bench-dram
