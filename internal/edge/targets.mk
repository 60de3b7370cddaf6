# The targets of internal/edge. The Makefile includes this file and sets TOOLS, STATIC, and NODE22.

EDGES := $(TOOLS)/edges

.PHONY: edges edges-differential edge-types edge-tools

edges: edge-types ## the JavaScript port of the decision, and Netlify and Cloudflare on their own runtimes
	go test -tags proof -count=1 -timeout 25m ./internal/edge ./internal/edge/runtimes

QUESTIONS ?= 6000

edges-differential: host-tools edge-tools ## compare every host with vitrined for 6,000 random raw requests (QUESTIONS=…)
	@go test -count=1 -timeout 30m -v -tags proof -run '^TestDifferential$$' ./internal/edge/config -questions $(QUESTIONS) >$(TOOLS)/differential.log || { cat $(TOOLS)/differential.log; exit 1; }
	@go test -count=1 -timeout 30m -v -tags proof -run '^TestDifferential' ./internal/edge/runtimes -questions $(QUESTIONS) >>$(TOOLS)/differential.log || { cat $(TOOLS)/differential.log; exit 1; }
	@sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(.* undeclared\)$$/\1/p' $(TOOLS)/differential.log

edge-types: edge-tools ## the types of the edges' JavaScript, checked by TypeScript
	$(NODE22) $(EDGES)/node_modules/typescript/bin/tsc --noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters \
	  --target es2024 --module esnext --lib es2024,dom,dom.iterable internal/edge/js/core.mjs internal/edge/js/engine.mjs

edge-tools: $(NODE22)
	@sh internal/edge/runtimes/install.sh $(EDGES) $(NODE22)
