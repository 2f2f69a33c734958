# libverdict: what limits a run, of what sim-run has measured, or of what it has saved.
VERDICT_SRC := $(filter-out %_test.c,$(wildcard sim/verdict/*.c))
VERDICT_LIB := $(B)/lib/libverdict.a
$(VERDICT_LIB): $(VERDICT_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

VERDICT_TESTS := $(patsubst sim/%.c,$(B)/tests/%,$(wildcard sim/verdict/*_test.c))
$(VERDICT_TESTS): $(B)/tests/%: $(B)/obj/sim/%.o $(VERDICT_LIB) $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lcjson -lz -lm $(LDFLAGS)
UNIT_TESTS += $(VERDICT_TESTS)
