# Packages of a release: what npm, dpkg, rpm, Homebrew and GitHub take.
.PHONY: packages package-tools

packages: snapshot package-tools $(NODE22) $(ACTIONLINT) ## a snapshot, and each of its packages installed and tried as far as this machine can
	VITRINE_NODE=$(NODE22) go test -count=1 -v -timeout 20m -tags packages ./internal/lab/release

# Other programs than ours read the packages.
package-tools:
	@for pair in rpm:rpm rpm2cpio:rpm2cpio cpio:cpio ruby:ruby skopeo:skopeo umoci:umoci systemd-analyze:systemd; do \
	  command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; done; \
	if [ -n "$$missing" ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; fi
