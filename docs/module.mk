# docs/units.md is made from what sim-run says of itself, and kept in the
# repository; `make docs` (sdk/module.mk) makes both reference pages.
.PHONY: docs-units
docs: docs-units
docs-units: $(B)/bin/sim-run
	@$< --list-units | awk -f docs/units.awk >docs/units.md.new
	@mv docs/units.md.new docs/units.md
