# Studies, and their stored figures: ci/studies/README.md.
.PHONY: studies docs-studies
studies: ## run all studies again and store their figures (hours); one of them: make study-NAME
	@B=$(B) ci/studies/run all

study-%:
	@B=$(B) ci/studies/run $*

docs: docs-studies
docs-studies:
	@ci/studies/run --pages
