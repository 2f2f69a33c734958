# Pages, or parts of them, that are made from what programs say, and kept in the
# repository: `make docs` (sdk/module.mk makes the others).
.PHONY: docs-units
docs: docs-units
docs-units: $(B)/bin/sim-run
	@$< --list-units | awk -f docs/units.awk >docs/reference/units.md.new
	@mv docs/reference/units.md.new docs/reference/units.md

.PHONY: docs-legs
docs: docs-legs
docs-legs: $(B)/bin/sim-run-stalls
	@$< --list-units | awk -f docs/legs.awk - docs/guides/observing.md >docs/guides/observing.md.new
	@mv docs/guides/observing.md.new docs/guides/observing.md

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

# Tables that lists in the sources have: what docs/tables.awk adds.
.PHONY: docs-tables
docs: docs-tables
docs-tables:
	@sed -n 's/^ *add("\([a-z-]*\)".*/^<!-- \1 -->/p' docs/tables.awk | \
	    grep -lf - docs/*/*.md | while read -r page; do \
	        awk -f docs/tables.awk $$page >$$page.new && mv $$page.new $$page || exit 1; done
