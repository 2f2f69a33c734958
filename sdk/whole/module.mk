# whole.o is in libcore.a, and in each converter.
$(B)/tests/whole/whole_test: $(B)/obj/sdk/whole/whole_test.o $(B)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $(filter %.o,$^) $(B)/lib/libcore.a -lcmocka -lz $(LDFLAGS)
UNIT_TESTS += $(B)/tests/whole/whole_test
