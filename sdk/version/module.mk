# Asked for by every make; the file is touched only when the answer is another.
REVISION := $(B)/obj/sdk/version/revision

.PHONY: ask-revision
$(REVISION): ask-revision
	@mkdir -p $(@D)
	@git describe --always --dirty --tags 2>/dev/null >$@.new || echo unknown >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
$(B)/obj/sdk/version/version.o: $(REVISION)
$(B)/obj/sdk/version/version.o: CFLAGS_ALL += -DCORBEL_REVISION='"$(shell cat $(REVISION))"'
