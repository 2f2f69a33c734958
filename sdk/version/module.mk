# Asked for by every make, of which several may run at once; the file is
# replaced only when the answer is another.
REVISION := $(B)/obj/sdk/version/revision

.PHONY: ask-revision
$(REVISION): ask-revision
	@mkdir -p $(@D)
	@new=$@.$$$$; git describe --always --dirty --tags 2>/dev/null >$$new || echo unknown >$$new; \
	if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi
$(B)/obj/sdk/version/version.o: $(REVISION)
$(B)/obj/sdk/version/version.o: CFLAGS_ALL += -DCORBEL_REVISION='"$(shell cat $(REVISION))"'
