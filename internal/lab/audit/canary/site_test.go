package canary_test

import (
	"fmt"
	"strings"
)

// Canary words reveal a leak. Each kind of hidden page contains its own word in all its parts. The words are in lower
// case, because all outputs keep lower-case letters unchanged.
const (
	draft     = "zqdraft"
	scheduled = "zqscheduled"
	unlisted  = "zqunlisted"
)

// page returns a page that contains the word everywhere an editor can write text.
func page(word, front string) string {
	return fmt.Sprintf(`---
title: %[1]stitle of a page
description: %[1]sdescription of a page
%[2]s
author: %[1]sauthor
tags: [%[1]stag, common]
aliases: [/old/%[1]salias]
image: %[1]spicture.svg
params: {note: %[1]sparam}
---

A %[1]sbody with ![%[1]salt](%[1]spicture.svg), [%[1]slink](https://example.com/%[1]starget)
and [a %[1]sfile](%[1]sdata.csv).

## A %[1]sheading

`+"```sh\necho %[1]scode\n```\n\n> [!NOTE]\n> A %[1]salert.\n\n| a | b |\n| --- | --- |\n| %[1]scell | 1 |\n", word, front)
}

// picture returns an SVG image whose title contains the word.
func picture(word string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>%spixels</title></svg>`+"\n", word)
}

// files returns the files of the site, keyed by name.
func files() map[string]string {
	all := map[string]string{
		"content/site.yaml": "baseURL: https://parley.example\ntitle: Parley\nrobots: {contentSignal: {search: yes}}\n",
		"content/product.yaml": `name: Parley
url: https://parley.example
description: Practice for sales calls.
audience: [Sales teams]
capabilities: [Roleplays]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one roleplay.
  unlimitedReps: true
  unlimitedTeams: false
  plans:
    - {name: Solo, monthlyPrice: 49, includedCredits: 100}
  url: https://parley.example/pricing
contact: hello@parley.example
links: {}
`,
		"content/index.md":        "---\ntitle: Parley\n---\n\nHello.\n",
		"content/pricing.md":      "---\ntitle: Pricing\ndescription: What it costs.\n---\n\nPrices.\n",
		"content/guides/index.md": "---\ntitle: Guides\ndescription: How to.\n---\n\nGuides.\n",
		"content/guides/first.md": "---\ntitle: First\ndescription: The first guide.\n---\n\nFirst.\n",
		"content/blog/index.md":   "---\ntitle: Blog\ndescription: Articles.\n---\n\nArticles.\n",
		"content/blog/one.md":     "---\ntitle: One\ndescription: The first article.\ndate: 2026-01-01\ntags: [common]\n---\n\nOne.\n",
		"content/blog/two.md":     "---\ntitle: Two\ndescription: The second article.\ndate: 2026-03-01\ntags: [common]\n---\n\nTwo.\n",
	}
	add := func(folder, word, front string) {
		all["content/"+folder+"/index.md"] = page(word, front)
		all["content/"+folder+"/"+word+"picture.svg"] = picture(word)
		all["content/"+folder+"/"+word+"data.csv"] = "a," + word + "value\n"
	}
	// Use dates between the dates of other articles, so that a leaked page would be a neighbor.
	add("blog/"+draft, draft, "date: 2026-02-01\ndraft: true")
	add("guides/"+draft, draft, "draft: true")
	add("blog/"+scheduled, scheduled, "date: 2999-01-01")
	add("blog/"+unlisted, unlisted, "date: 2026-02-02\nunlisted: true")
	add("guides/"+unlisted+"guide", unlisted, "slug: "+unlisted+"guide\nunlisted: true")
	// Two pages can't have the same old address.
	all["content/guides/"+draft+"/index.md"] = strings.Replace(all["content/guides/"+draft+"/index.md"], "alias]", "guide]", 1)
	all["content/guides/"+unlisted+"guide/index.md"] = strings.Replace(all["content/guides/"+unlisted+"guide/index.md"], "alias]", "guide]", 1)
	return all
}
