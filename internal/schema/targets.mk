# Checks the schemas, the files of a new site, and its content editor with the tools that authors use: Ajv, the YAML
# language server, Sveltia CMS in Chromium, and actionlint for the workflow. Part of `make proof`.

SCHEMA := $(TOOLS)/schema

.PHONY: schemas schemas-install

schemas: schemas-install $(ACTIONLINT) ## the schemas and a new site, with authors' tools
	go build -o $(SCHEMA)/vitrine ./cmd/vitrine
	@rm -rf $(SCHEMA)/new
	@mkdir -p $(SCHEMA)/new
	$(SCHEMA)/vitrine new site --root $(SCHEMA)/new begun
	$(ACTIONLINT) $(SCHEMA)/new/begun/.github/workflows/site.yml
	VITRINE=$(SCHEMA)/vitrine $(NODE22) --test --test-reporter=spec $(SCHEMA)/check/*.test.mjs

schemas-install: $(NODE22)
	sh internal/lab/rig/install.sh $(NODE22) internal/schema $(SCHEMA) "$(CHROMIUM)" "check testdata"
