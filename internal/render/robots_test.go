package render

import (
	"reflect"
	"testing"
	"time"

	"vitrine/internal/site"
)

// Agents are grouped by whether the signal for what they read for lets them
// in; what a site says of one by name wins, whatever its case.
func TestAgentGroups(t *testing.T) {
	groupOf := func(groups []agentGroup, name string) string {
		found := ""
		for _, g := range groups {
			for _, a := range g.Agents {
				if a == name {
					found += map[bool]string{true: "allowed", false: "refused"}[g.Allow]
				}
			}
		}
		return found
	}
	for name, c := range map[string]struct {
		settings site.Robots
		want     map[string]string
	}{
		"no signals":     {site.Robots{}, map[string]string{"GPTBot": "allowed", "OAI-SearchBot": "allowed", "ChatGPT-User": "allowed"}},
		"no training":    {site.Robots{ContentSignal: []site.Signal{{Name: "ai-train"}}}, map[string]string{"GPTBot": "refused", "Google-Extended": "refused", "OAI-SearchBot": "allowed"}},
		"nothing":        {site.Robots{ContentSignal: []site.Signal{{Name: "search"}, {Name: "ai-input"}, {Name: "ai-train"}}}, map[string]string{"GPTBot": "refused", "OAI-SearchBot": "refused", "Claude-User": "refused"}},
		"one by name":    {site.Robots{Agents: []site.Signal{{Name: "GPTBot"}}}, map[string]string{"GPTBot": "refused", "ClaudeBot": "allowed"}},
		"another's name": {site.Robots{Agents: []site.Signal{{Name: "gptbot", Allow: true}, {Name: "NewBot"}}, ContentSignal: []site.Signal{{Name: "ai-train"}}}, map[string]string{"gptbot": "allowed", "GPTBot": "", "NewBot": "refused", "CCBot": "refused"}},
	} {
		groups := agentGroups(c.settings)
		for agent, want := range c.want {
			if got := groupOf(groups, agent); got != want {
				t.Errorf("%s: %s is %q, want %q", name, agent, got, want)
			}
		}
	}
}

// A date of security.txt that is past fails the build; one that is near, or
// more than a year away, is warned of, where site.yaml says it.
func TestSecurityProblems(t *testing.T) {
	at := site.Pos{Line: 7, Col: 3}
	for name, c := range map[string]struct {
		contact string
		expires time.Time
		want    []site.Severity
	}{
		"none given":     {"mailto:a@b.example", time.Time{}, nil},
		"no contact":     {"", now.AddDate(-1, 0, 0), nil},
		"half a year":    {"mailto:a@b.example", now.AddDate(0, 6, 0), nil},
		"thirty days":    {"mailto:a@b.example", now.Add(expiresSoon), nil},
		"near":           {"mailto:a@b.example", now.Add(expiresSoon - time.Second), []site.Severity{site.Warning}},
		"this moment":    {"mailto:a@b.example", now, []site.Severity{site.Error}},
		"past":           {"mailto:a@b.example", now.AddDate(0, 0, -1), []site.Severity{site.Error}},
		"a year":         {"mailto:a@b.example", now.AddDate(1, 0, 0), nil},
		"more than that": {"mailto:a@b.example", now.AddDate(1, 0, 1), []site.Severity{site.Warning}},
	} {
		s := &site.Site{Now: now, Config: site.Config{Security: site.Security{Contact: c.contact, Expires: c.expires, ExpiresPos: at}}}
		var got []site.Severity
		for _, p := range securityProblems(s) {
			got = append(got, p.Severity)
			if p.Path != "content/site.yaml" || p.Pos != at || p.Text == "" {
				t.Errorf("%s: %v", name, p)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where no date is given, builds of one month agree on one under a year ahead.
func TestSecurityExpires(t *testing.T) {
	for day := 1; day <= 31; day++ {
		moment := time.Date(2026, 12, day, 23, 59, 0, 0, time.UTC)
		r := &Renderer{site: &site.Site{Now: moment}}
		got := r.securityExpires()
		if want := time.Date(2027, 11, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) || got.Sub(moment) > 365*24*time.Hour {
			t.Errorf("on day %d: %s", day, got)
		}
	}
}
