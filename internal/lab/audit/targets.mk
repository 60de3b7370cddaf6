# The audits of built sites. audit-fast is part of `make proof`. audit also includes Lighthouse's performance score, which
# depends on the machine's speed. Both install missing tools.

AUDIT := $(TOOLS)/audit

.PHONY: audit audit-fast audit-install audit-documentation lighthouse screenshots pictures

# Realistic sites with other subjects than the sample, and two sites of the Go tests: one in four languages, and one with
# versions and an API reference.
OTHER_SITES := $(foreach site,brewery clinic library,--site internal/lab/audit/sites/$(site)) --site internal/lab/rig/languages.txtar \
  --site $(AUDIT)/documentation.txtar

# The Go tests' site under a base path. Only its HTML is checked, because the other audits request pages at the root of
# the host.
PATH_SITE := --site internal/lab/rig/path.txtar --only html

audit: audit-install audit-documentation ## all audits of the built sites, including Lighthouse's performance score
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast lighthouse
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) $(OTHER_SITES) other lighthouse

audit-fast: audit-install audit-documentation ## all audits of the built sites except Lighthouse's performance score
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) $(OTHER_SITES) other
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) $(PATH_SITE) other

lighthouse: audit-install ## Lighthouse's performance score on the sample, on a quiet machine; make audit runs it on the other sites too
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) lighthouse

screenshots: audit-install ## pictures of the main pages, in build/screenshots
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) screenshots

pictures: audit-install ## the pictures of the README and of the documentation's home page, in docs
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) pictures

audit-documentation: audit-install
	go run ./internal/lab/rig/documentation >$(AUDIT)/documentation.txtar

audit-install: $(NODE24)
	sh internal/lab/rig/install.sh $(NODE24) internal/lab/audit $(AUDIT) "$(CHROMIUM) xmllint:libxml2-utils java:default-jre-headless" "run.mjs lib checks schemas"
