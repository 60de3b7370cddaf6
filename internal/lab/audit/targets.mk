# The audits of the built sample site. audit-fast is part of `make test`;
# audit runs Lighthouse too. Both install what is missing.

AUDIT := $(TOOLS)/audit

.PHONY: audit audit-fast audit-install lighthouse screenshots

audit: audit-install ## every audit of the built site, Lighthouse included
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast lighthouse

audit-fast: audit-install ## every audit of the built site but Lighthouse
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) fast

lighthouse: audit-install ## Lighthouse alone
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) lighthouse

screenshots: audit-install ## pictures of the main pages, in build/screenshots
	$(NODE24) $(AUDIT)/run.mjs --root $(CURDIR) screenshots

audit-install: $(NODE24)
	sh internal/lab/audit/install.sh $(NODE24) $(AUDIT)
