package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vitrine/internal/record"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// settings checks the links in site.yaml and marks the linked files for publication. It returns the problems and the
// links with an anchor, which the caller must check.
func (c *Checker) settings() (problems []site.Problem, anchorLinks []record.AnchorLink) {
	home := &site.Page{Path: "/", Source: configFile}
	for _, item := range settingLinks(&c.site.Config) {
		target, err := c.index.Resolve(home, item.Path)
		wrong := func(severity site.Severity, code site.Code, write, text string) {
			problems = append(problems, site.Problem{Path: configFile, Pos: item.Pos, Severity: severity, Code: code,
				Text: item.key + ": " + text, Fix: c.settingEdit(item.Pos, item.Path, write)})
		}
		switch {
		case err != nil:
			wrong(site.Error, rule.DeadLink, meant(err), err.Error())
		case target.Redirects:
			wrong(site.Warning, rule.Redirect, target.Write, redirectText(item.Path, target))
		case target.Page == nil && c.known.onLink[target.Path]:
			c.files[target.Path] = true
		}
		if err == nil && target.Fragment != "" && target.Page != nil {
			anchorLinks = append(anchorLinks, record.AnchorLink{Source: configFile, Link: record.Link{
				Destination: item.Path, Pos: item.Pos, Path: target.Page.Path, Anchor: target.Fragment, Kind: record.ToPage,
			}})
		}
	}
	return problems, anchorLinks
}

// productLinks returns one warning for each path on the site to which product.yaml links but which doesn't exist. The
// problem isn't an error, because another program on the same host may serve the URL.
func (c *Checker) productLinks() (problems []site.Problem) {
	home := &site.Page{Path: "/", Source: productFile}
	reported := make(map[string]bool)
	for _, fact := range c.site.FactLinks {
		_, err := c.index.Resolve(home, fact.Text)
		path, _ := c.outputs.path([]byte(fact.Text))
		if err == nil || reported[path] || c.Made != nil && c.Made(path) {
			continue
		}
		reported[path] = true
		text := err.Error()
		if !strings.Contains(text, "; ") {
			text += "; correct the address, or write the page"
		}
		problems = append(problems, site.Problem{Path: productFile, Pos: fact.Pos, Severity: site.Warning, Code: rule.DeadFact,
			Text: fact.Path + ": " + text})
	}
	return problems
}

// license returns a problem if the site's license is a path but the site has no file at that path.
func (c *Checker) license() []site.Problem {
	path, at := c.site.Config.License, c.site.Config.LicensePos
	if !strings.HasPrefix(path, "/") || slices.ContainsFunc(c.site.Files, func(f site.File) bool { return f.Path == path }) {
		return nil
	}
	return []site.Problem{{Path: configFile, Pos: at, Severity: site.Error, Code: rule.NoLicense,
		Text: fmt.Sprintf("license: the site has no file %s; put it at content/static%s, or write the URL of a license on another site", path, path)}}
}

// retirement returns a problem if the link to the announcement of the API version's retirement is broken, or if the
// sunset date has passed.
func (c *Checker) retirement() []site.Problem {
	end := c.site.Config.Retirement
	if end == nil {
		return nil
	}
	var problems []site.Problem
	add := func(severity site.Severity, code site.Code, text string) {
		problems = append(problems, site.Problem{Path: configFile, Pos: end.NoticePos, Severity: severity, Code: code, Text: "api.retirement." + text})
	}
	if _, err := c.index.Resolve(&site.Page{Path: "/", Source: configFile}, end.Notice); err != nil {
		add(site.Error, rule.DeadLink, "notice: "+err.Error())
	}
	if !end.Sunset.IsZero() && end.Sunset.Before(c.site.Now) && !end.Sunset.Before(end.Deprecation) {
		add(site.Warning, rule.WrongDate, fmt.Sprintf("sunset: %s has passed, but the version is still served; write a later date", end.Sunset.UTC().Format(time.DateOnly)))
	}
	return problems
}

// settingEdit returns the edit that replaces the value old at the given position in site.yaml. The edit is zero if
// replacement is "" or the source is unavailable.
func (c *Checker) settingEdit(at site.Pos, old, replacement string) site.Edit {
	if c.Source == nil || replacement == "" {
		return site.Edit{}
	}
	return site.EditValue(c.Source(configFile), at, old, replacement)
}

// settingLink is a link in site.yaml that every page shows.
type settingLink struct {
	// key is the setting's name for messages.
	key string
	site.NavigationItem
}

// SettingLinks returns the links in site.yaml, including the link to the announcement of the API version's retirement.
func SettingLinks(c *site.Config) []site.Reference {
	var links []site.Reference
	for _, item := range settingLinks(c) {
		links = append(links, site.Reference{Target: item.Path, Pos: item.Pos})
	}
	if c.Retirement != nil {
		links = append(links, site.Reference{Target: c.Retirement.Notice, Pos: c.Retirement.NoticePos})
	}
	return links
}

// settingLinks returns the links in the navigation, the footer, the notice, and the action, in all languages.
func settingLinks(c *site.Config) []settingLink {
	var links []settingLink
	for _, item := range c.Navigation {
		links = append(links, settingLink{"navigation", item})
	}
	for _, item := range c.Footer {
		links = append(links, settingLink{"footer", item})
	}
	if c.Notice != nil && c.Notice.Path != "" {
		links = append(links, settingLink{"notice", site.NavigationItem{Path: c.Notice.Path, Pos: c.Notice.Pos}})
	}
	if c.Action != nil {
		links = append(links, settingLink{"action", site.NavigationItem{Path: c.Action.Path, Pos: c.Action.Pos}})
	}
	for _, l := range c.Languages {
		said := &site.Config{Navigation: l.Navigation, Footer: l.Footer, Notice: l.Notice, Action: l.Action}
		for _, link := range settingLinks(said) {
			link.key = "languages." + l.Tag + "." + link.key
			links = append(links, link)
		}
	}
	return links
}
