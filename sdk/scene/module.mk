# corbel-scene: meshes -> .scene files. Embree stays in build.c and embree.c.
SCENE_TOOL_SRC := $(filter-out %_test.c,$(wildcard sdk/scene/*.c)) $(MESH_SRC) $(SDK_COMMON_SRC) $(WHOLE_SRC)
SCENE_TOOL_OBJ := $(SCENE_TOOL_SRC:%.c=$(B)/obj/%.o)
SCENE_TOOL_LIBS := -lembree3 -lcjson -llzma -lz -lm

$(B)/bin/corbel-scene: $(SCENE_TOOL_OBJ) $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(SCENE_TOOL_LIBS) $(LDFLAGS)

.PHONY: corbel-scene
corbel-scene: $(B)/bin/corbel-scene ## the scene converter, build/bin/corbel-scene

SCENE_TOOL_TESTS := $(patsubst sdk/scene/%.c,$(B)/tests/scene/%,$(wildcard sdk/scene/*_test.c))
$(B)/tests/scene/%: $(B)/obj/sdk/scene/%.o $(filter-out %/main.o %/scene_options.o,$(SCENE_TOOL_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -lcmocka -lxxhash $(SCENE_TOOL_LIBS) $(LDFLAGS)
UNIT_TESTS += $(SCENE_TOOL_TESTS)
