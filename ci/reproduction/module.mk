# The published study again: ci/reproduction/README.md.
PARTS ?=
SIZE ?= 1024
REPRODUCE := $(addprefix $(B)/bin/,sim-run corbel-scene corbel-rays) $(foreach t,rv64 native,$(B)/samples/$(t)/replay)
.PHONY: reproduce reproduce-programs
reproduce-programs: $(REPRODUCE)
reproduce: $(REPRODUCE) ## run the published study of the RTX 2080 and TRaX (PARTS=, SIZE=, JOBS=; see docs/reproduction.md)
	@B=$(B) ci/reproduce --size $(SIZE) --jobs $(patsubst -j%,%,$(JOBS)) $(PARTS)
