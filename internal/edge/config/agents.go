package config

import (
	"errors"
	"strings"

	"vitrine/internal/artifact"
)

// agentName returns an expression that matches the first name of a known agent in a User-Agent. Its only group captures
// the name if the agent reads for a language model, and is empty otherwise. group is the text that opens this group,
// such as "(" or "(?<name>". The expression must be matched case-insensitively.
//
// Names are grouped by their first letter, so most positions without a name are rejected after a few steps.
func agentName(group string, agents *artifact.Agents) string {
	ai, others := agents.Names()
	return `(?:^|[^a-z0-9_.-])(?:` + group + byLetter(ai) + `)|` + byLetter(others) + `)(?:[^a-z0-9_.-]|$)`
}

// byLetter returns an expression that matches each of the names, with the names grouped by their first letter.
func byLetter(names []string) string {
	var letters []string
	rest := make(map[string][]string)
	for _, n := range names {
		first := n[:1]
		if rest[first] == nil {
			letters = append(letters, first)
		}
		rest[first] = append(rest[first], quoteMeta(n[1:]))
	}
	var groups []string
	for _, l := range letters {
		groups = append(groups, l+"(?:"+strings.Join(rest[l], "|")+")")
	}
	return strings.Join(groups, "|")
}

// spaced returns the names in one string, with a space on each side of every name. A search for a name with its spaces
// thus never matches part of another name.
func spaced(names []string) string { return " " + strings.Join(names, " ") + " " }

// errAgents is returned for configurations that can't select a representation by User-Agent.
var errAgents = errors.New("negotiation.agents in site.yaml lets the User-Agent select a page's HTML or its Markdown, which this configuration does not support; " +
	"serve the site with vitrined without a cache in front of it, or behind nginx, Varnish, or CloudFront, or remove the setting")
