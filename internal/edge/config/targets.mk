# Tests with the servers that vitrine config configures, and the installation of these servers.
.PHONY: hosts cache-tests deploy-load host-tools

hosts: host-tools ## tests with real nginx, Caddy, Varnish, systemd, and the image
	go test -tags proof -count=1 -v -timeout 10m ./internal/edge/config

# Not part of make proof: the suite depends on the clock, in seconds.
cache-tests: host-tools $(NODE22) ## the public suite for HTTP caches, in front of nginx, Varnish, and Caddy as vitrine config configures them
	sh internal/lab/rig/install.sh $(NODE22) internal/edge/config/cachetests $(TOOLS)/cache-tests "" run.mjs
	VITRINE_NODE=$(NODE22) go test -count=1 -tags proof,cachetests -run '^TestCacheSuite$$' ./internal/edge/config

# Its results are in results/deploys.md.
deploy-load: host-tools ## vitrine deploy under load at 50, 1,500, and 10,000 pages, with and without caches: five minutes (PAGES=50 for fewer)
	go test -tags proof -count=1 -v -timeout 40m -run '^TestDeployUnderLoad$$' ./internal/edge/config -args -deploy-pages $(PAGES)

PAGES ?= 50,1500,10000

host-tools:
	sh internal/edge/config/install.sh
