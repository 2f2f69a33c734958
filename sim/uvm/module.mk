# libuvm: paging of unified virtual memory, independent of the units.
UVM_SRC := $(filter-out %_test.c,$(wildcard sim/uvm/*.c))
UVM_LIB := $(B)/lib/libuvm.a
$(UVM_LIB): $(UVM_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

UVM_TESTS := $(patsubst sim/uvm/%.c,$(B)/tests/uvm/%,$(wildcard sim/uvm/*_test.c))
$(B)/tests/uvm/%: $(B)/obj/sim/uvm/%.o $(UVM_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lz -lm $(LDFLAGS)
UNIT_TESTS += $(UVM_TESTS)
