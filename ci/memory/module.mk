# dram-device: tells ci/memory/check and ci/bench-memory what a device is.
$(B)/tests/dram-device: $(B)/obj/ci/memory/dram-device.o $(B)/lib/libdram.a $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lm $(LDFLAGS)

MEMORY_CHECK := $(B)/bin/sim-run $(B)/tests/dram-device $(B)/samples/rv64/microbench
.PHONY: memory-check bench-memory
memory-check: $(MEMORY_CHECK)
bench-memory: $(MEMORY_CHECK) ## measure latency and bandwidth of the memory, with plots (5 minutes)
	@B=$(B) ci/bench-memory
