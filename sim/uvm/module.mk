# libuvm: paging of unified virtual memory, independent of the units.
UVM_SRC := $(filter-out %_test.c,$(wildcard sim/uvm/*.c))
UVM_LIB := $(B)/lib/libuvm.a
$(UVM_LIB): $(UVM_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# page-run: replays a file of faults, evictions or transfers.
PAGE_RUN_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_test.c,$(wildcard sim/uvm/replay/*.c)))
$(B)/bin/page-run: $(PAGE_RUN_OBJ) $(UVM_LIB) $(B)/lib/libcore.a $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lz -lm $(LDFLAGS)

.PHONY: page-run
page-run: $(B)/bin/page-run ## build the tool that replays vectors of paging
sim: $(B)/bin/page-run

.PHONY: install-uvm
install: install-uvm
install-uvm: $(B)/bin/page-run
	@mkdir -p $(DESTDIR)$(PREFIX)/bin
	@install -m 755 $(B)/bin/page-run $(DESTDIR)$(PREFIX)/bin

UVM_TESTS := $(patsubst sim/uvm/%.c,$(B)/tests/uvm/%,$(wildcard sim/uvm/*_test.c))
$(B)/tests/uvm/%: $(B)/obj/sim/uvm/%.o $(UVM_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lz -lm $(LDFLAGS)
UNIT_TESTS += $(UVM_TESTS)
