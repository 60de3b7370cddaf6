# The audits of the built sample site. audit-fast is part of `make test`;
# audit runs Lighthouse too. Both install what is missing.

AUDIT := $(TOOLS)/audit

.PHONY: audit audit-fast audit-install lighthouse screenshots

# Sites about other things than the sample: none of them is written for a test.
OTHER_SITES := $(foreach site,brewery clinic library,--site internal/lab/audit/sites/$(site))

audit: audit-install ## every audit of the built sites, Lighthouse included
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast lighthouse
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) $(OTHER_SITES) other lighthouse

audit-fast: audit-install ## every audit of the built sites but Lighthouse
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) $(OTHER_SITES) other

lighthouse: audit-install ## Lighthouse alone, on the sample; make audit asks it of the other sites too
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) lighthouse

screenshots: audit-install ## pictures of the main pages, in build/screenshots
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) screenshots

audit-install: $(NODE24)
	sh internal/lab/audit/install.sh $(NODE24) $(AUDIT)
