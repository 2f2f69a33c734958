# corbel-rays: buffers of rays for a scene.
RAYS_TOOL_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard sdk/rays/*.c) \
    $(SDK_COMMON_SRC) $(WHOLE_SRC))

$(B)/bin/corbel-rays: $(RAYS_TOOL_OBJ) $(B)/obj/sdk/version/version.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $^ -llzma -lz -lm $(LDFLAGS)

.PHONY: corbel-rays
corbel-rays: $(B)/bin/corbel-rays ## makes buffers of rays, build/bin/corbel-rays
