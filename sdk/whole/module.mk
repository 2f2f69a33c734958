# WHOLE_SRC is in libcore.a, and in each converter.
$(B)/tests/whole/whole_test: $(B)/obj/sdk/whole/whole_test.o $(WHOLE_SRC:%.c=$(B)/obj/%.o)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka $(LDFLAGS)
UNIT_TESTS += $(B)/tests/whole/whole_test
