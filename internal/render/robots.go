package render

import (
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/readers"
	"vitrine/internal/render/media"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// Names of the signals in Content-Signal (contentsignals.org). Each signal permits or prohibits a use of text.
const (
	signalSearch = "search"
	signalInput  = "ai-input"
	signalTrain  = "ai-train"
)

// signalOf returns the name of the signal that controls access for a family of readers, or "" if robots.txt has no
// rules for the family.
func signalOf(f readers.Family) string {
	return map[readers.Family]string{readers.AISearch: signalSearch, readers.AIUser: signalInput, readers.Training: signalTrain}[f]
}

// robots renders robots.txt.
func (r *Renderer) robots() (artifact.Resource, error) {
	body, err := r.text("robots.txt", view.TextFile{Sitemap: r.url(plan.SitemapPath), Signals: r.signals(), Usage: r.usage(), License: r.license(), Groups: agentGroups(r.site.Config.Robots), Preview: r.site.Config.Preview})
	if err != nil {
		return artifact.Resource{}, err
	}
	return machineFile(plan.RobotsPath, media.Text, body), nil
}

// agentGroups returns a group of allowed crawlers and a group of blocked crawlers, omitting an empty group. If the
// settings allow or block a crawler by name, they determine the crawler's group. Otherwise, the signal for a known
// crawler's purpose does.
func agentGroups(settings site.Robots) []view.AgentGroup {
	said := make(map[string]bool)
	var allowed, refused view.AgentGroup
	allowed.Allow = true
	put := func(name string, allow bool) {
		folded := strings.ToLower(name)
		if said[folded] {
			return
		}
		said[folded] = true
		if allow {
			allowed.Agents = append(allowed.Agents, name)
		} else {
			refused.Agents = append(refused.Agents, name)
		}
	}
	for _, agent := range settings.Agents {
		put(agent.Name, agent.Allow)
	}
	for _, agent := range readers.Agents() {
		if signal := signalOf(agent.Family); signal != "" {
			put(agent.Name, signaled(settings.ContentSignal, signal))
		}
	}
	var groups []view.AgentGroup
	for _, g := range []view.AgentGroup{allowed, refused} {
		if len(g.Agents) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// signaled reports whether signals allow the use called name, such as "search". It returns true if signals don't
// contain name.
func signaled(signals []site.Signal, name string) bool {
	for _, s := range signals {
		if s.Name == name {
			return s.Allow
		}
	}
	return true
}

// signals returns the value of Content-Signal, or "" if the site sets no signals.
func (r *Renderer) signals() string {
	return signalList(r.site.Config.Robots.ContentSignal, "yes", "no")
}

// signalList returns signals as the value of a header field. allowed and denied are the words for an allowed use and
// for a denied use.
func signalList(signals []site.Signal, allowed, denied string) string {
	var list []string
	for _, s := range signals {
		value := denied
		if s.Allow {
			value = allowed
		}
		list = append(list, s.Name+"="+value)
	}
	return strings.Join(list, ", ")
}

// signalFields returns the Content-Signal field of pages and text files, or nil if the site sets no signals.
func (r *Renderer) signalFields() []artifact.Field {
	if signals := r.signals(); signals != "" {
		return []artifact.Field{field("Content-Signal", signals)}
	}
	return nil
}
