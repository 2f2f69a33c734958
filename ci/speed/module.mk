# epoch-cost: what an empty epoch costs, for ci/speed/scaling.
$(B)/tests/epoch-cost: $(B)/obj/ci/speed/epoch-cost.o $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS)

# alone: whether a host is quiet, for ci/bench.
$(B)/tests/alone: $(B)/obj/ci/speed/alone.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS)

.PHONY: scaling
scaling: $(REPLAY_TOOLS) $(B)/tests/epoch-cost ## predict the speed of 1..64 host threads (10 minutes)
	@B=$(B) ci/speed/scaling
