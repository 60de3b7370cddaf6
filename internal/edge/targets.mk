# The targets of internal/edge, for the Makefile to include: it gives TOOLS,
# STATIC and NODE22.

EDGES := $(TOOLS)/edges

.PHONY: edges differential runtimes edge-lint edge-tools

edges: edge-lint differential runtimes ## the JavaScript port of the decision, and Netlify and Cloudflare on their own runtimes

# The Go decision and its JavaScript port, asked 200,000 questions of the known seed and
# 50,000 of a new one. A difference fails with the shortest request that shows it.
differential: $(NODE22)
	@cd internal/edge && VITRINE_NODE=$(NODE22) go test -count=1 -run '^TestDecisionsAgree$$' -questions 200000 -fresh 50000

# The whole contract on each runtime; one line with counts for each.
runtimes: edge-tools
	@cd internal/edge/runtimes && VITRINE_NODE=$(NODE22) VITRINE_EDGES=$(EDGES) go test -count=1 -timeout 10m -tags edges

edge-lint: $(STATIC) edge-tools
	go vet -tags edges ./internal/edge/...
	$(STATIC) -tags edges ./internal/edge/...
	$(NODE22) $(EDGES)/node_modules/typescript/bin/tsc --noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters \
	  --target es2024 --module esnext --lib es2024,dom,dom.iterable internal/edge/js/core.mjs internal/edge/js/engine.mjs

edge-tools: $(NODE22)
	@sh internal/edge/runtimes/install.sh $(EDGES) $(NODE22)
