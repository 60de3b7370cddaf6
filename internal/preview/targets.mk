# Tests the preview in Chromium, with the browser and the packages of the audits. Part of `make proof`.

PREVIEW := $(AUDIT)/preview

.PHONY: preview

preview: audit-install ## the preview of a site in a browser
	go build -o $(AUDIT)/bin/vitrine ./cmd/vitrine
	rm -rf $(PREVIEW)
	cp -R internal/preview/browser $(PREVIEW)
	VITRINE=$(AUDIT)/bin/vitrine $(NODE24) --test --test-reporter=spec $(PREVIEW)/*.test.mjs
