# Readers of mesh files: part of corbel-scene. Their tests and the fuzzer have a
# fail() that returns to them, in catch.c.
MESH_SRC := $(filter-out %_test.c %/catch.c %/mesh_fuzz.c,$(wildcard sdk/mesh/*.c))
MESH_TEST_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(MESH_SRC) sdk/mesh/catch.c \
    sdk/common/file.c $(WHOLE_SRC))
MESH_TEST_LIBS := -lcjson -llzma -lz -lm

MESH_TESTS := $(patsubst sdk/mesh/%.c,$(B)/tests/mesh/%,$(wildcard sdk/mesh/*_test.c))
$(B)/tests/mesh/%: $(B)/obj/sdk/mesh/%.o $(MESH_TEST_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka $(MESH_TEST_LIBS) $(LDFLAGS)
UNIT_TESTS += $(MESH_TESTS)

$(B)/tests/mesh/fuzz: $(B)/obj/sdk/mesh/mesh_fuzz.o $(MESH_TEST_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(MESH_TEST_LIBS) $(LDFLAGS)
