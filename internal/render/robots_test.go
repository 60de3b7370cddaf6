package render

import (
	"testing"

	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// Agents are grouped by whether the signal for their purpose allows access. A site's setting for an agent takes
// precedence, regardless of the case of the agent's name.
func TestAgentGroups(t *testing.T) {
	groupOf := func(groups []view.AgentGroup, name string) string {
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
