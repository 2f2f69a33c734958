# The published study again: ci/reproduction/README.md.
PARTS ?=
SIZE ?= 1024
REPRODUCE := $(addprefix $(B)/bin/,sim-run corbel-scene corbel-rays) $(addprefix $(B)/samples/,rv64/replay rv64/streams native/replay)
.PHONY: reproduce reproduce-programs
reproduce-programs: $(REPRODUCE)
reproduce: $(REPRODUCE) ## run the published studies of the RTX 2080, TRaX and ray streams (PARTS=, SIZE=, JOBS=; see docs/studies/reproduction.md)
	@B=$(B) ci/reproduce --size $(SIZE) --jobs $(patsubst -j%,%,$(JOBS)) $(PARTS)
