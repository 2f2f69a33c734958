# The RT core is tested with scenes that the scene tool's code builds.
RTCORE_TESTS := $(patsubst sim/%.c,$(B)/tests/%,$(wildcard sim/units/rtcore/*_test.c))
$(RTCORE_TESTS): UNITS_TEST_LIBS = $(SCENE_TOOL_LIBS)
$(RTCORE_TESTS): $(filter-out %/main.o %/scene_options.o,$(SCENE_TOOL_OBJ))
