# Code compiled both for the target (libcorbel) and natively (native-shim).
$(B)/tests/runtime-common/image_test: $(B)/obj/runtime/common/image_test.o \
    $(B)/obj/runtime/common/image.o $(B)/obj/runtime/common/checksum.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lpng $(LDFLAGS)

UNIT_TESTS += $(B)/tests/runtime-common/image_test
