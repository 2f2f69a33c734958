# WHOLE_SRC is in libcore.a, and in each converter.
WHOLE_TESTS := $(patsubst sdk/whole/%.c,$(B)/tests/whole/%,$(wildcard sdk/whole/*_test.c))
$(B)/tests/whole/%: $(B)/obj/sdk/whole/%.o $(WHOLE_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka $(LDFLAGS)
UNIT_TESTS += $(WHOLE_TESTS)
