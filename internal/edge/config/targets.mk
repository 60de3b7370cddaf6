# To be included in the Makefile. host-tools is part of make tools.
.PHONY: hosts host-tools

hosts: host-tools ## nginx, Caddy, Varnish, systemd and the image, each for real
	go test -count=1 -v -timeout 10m ./internal/edge/config

host-tools:
	sh internal/edge/config/install.sh
