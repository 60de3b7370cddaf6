# The targets of internal/edge, for the Makefile to include: it gives TOOLS,
# STATIC and NODE22.

EDGES := $(TOOLS)/edges

.PHONY: edges differential edges-differential runtimes edge-lint edge-tools

edges: edge-lint differential runtimes ## the JavaScript port of the decision, and Netlify and Cloudflare on their own runtimes

# The Go decision and its JavaScript port, asked 200,000 questions of the known seed and
# 50,000 of a new one. A difference fails with the shortest request that shows it.
differential: $(NODE22)
	@cd internal/edge && VITRINE_NODE=$(NODE22) go test -count=1 -run '^TestDecisionsAgree$$' -questions 200000 -fresh 50000

QUESTIONS ?= 6000

edges-differential: host-tools edge-tools ## every host beside vitrined, asked 6,000 raw requests made at random (QUESTIONS=…)
	@go test -count=1 -timeout 30m -v -run '^TestDifferential$$' ./internal/edge/config -questions $(QUESTIONS) >$(TOOLS)/differential.log || { cat $(TOOLS)/differential.log; exit 1; }
	@cd internal/edge/runtimes && VITRINE_NODE=$(NODE22) VITRINE_EDGES=$(EDGES) go test -count=1 -timeout 30m -v -tags edges -run '^TestDifferential' \
	  -questions $(QUESTIONS) >>$(TOOLS)/differential.log || { cat $(TOOLS)/differential.log; exit 1; }
	@sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(.* undeclared\)$$/\1/p' $(TOOLS)/differential.log

# The whole contract on each runtime; one line with counts for each.
runtimes: edge-tools
	@cd internal/edge/runtimes && VITRINE_NODE=$(NODE22) VITRINE_EDGES=$(EDGES) go test -count=1 -timeout 25m -tags edges

edge-lint: $(STATIC) edge-tools
	go vet -tags edges ./internal/edge/...
	$(STATIC) -tags edges ./internal/edge/...
	$(NODE22) $(EDGES)/node_modules/typescript/bin/tsc --noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters \
	  --target es2024 --module esnext --lib es2024,dom,dom.iterable internal/edge/js/core.mjs internal/edge/js/engine.mjs

edge-tools: $(NODE22)
	@sh internal/edge/runtimes/install.sh $(EDGES) $(NODE22)
