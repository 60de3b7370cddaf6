# Tests the language server with VS Code's client library, and with Debian's Neovim and the configuration in
# docs/guides/editors.md. It is part of `make proof`.

LSP := $(TOOLS)/lsp

.PHONY: lsp

lsp: $(NODE22) ## the language server, with VS Code's client library and in Neovim
	sh internal/lab/rig/install.sh $(NODE22) internal/lab/lsp $(LSP) nvim:neovim test
	go build -o $(LSP)/bin/vitrine ./cmd/vitrine
	VITRINE=$(LSP)/bin/vitrine VITRINE_EDITING=$(CURDIR)/docs/guides/editors.md \
		$(NODE22) --test --test-reporter=spec $(LSP)/test/*.test.mjs
