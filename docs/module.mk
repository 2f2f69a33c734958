# Pages, or parts of them, that are made from what programs say, and kept in the
# repository: `make docs` (sdk/module.mk makes the others).
.PHONY: docs-units
docs: docs-units
docs-units: $(B)/bin/sim-run
	@$< --list-units | awk -f docs/units.awk >docs/reference/units.md.new
	@mv docs/reference/units.md.new docs/reference/units.md

.PHONY: docs-options
docs: docs-options
docs-options: $(B)/bin/sim-run
	@$< --list-options | awk -v PAGES="$(wildcard docs/*/*.md)" -f docs/options.awk \
	    >docs/reference/options.md.new
	@mv docs/reference/options.md.new docs/reference/options.md

# The table of docs/studies/performance.md, from the figures that are kept beside it.
.PHONY: docs-performance
docs: docs-performance
docs-performance:
	@ci/speed/table.py

# The packages of docs/reference/dependencies.md, from the list that is installed.
.PHONY: docs-packages
docs: docs-packages
docs-packages:
	@awk -f docs/packages.awk ci/setup docs/reference/dependencies.md \
	    >docs/reference/dependencies.md.new
	@mv docs/reference/dependencies.md.new docs/reference/dependencies.md
