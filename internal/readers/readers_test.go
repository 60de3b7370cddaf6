package readers_test

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
	"vitrine/internal/readers"
)

// Published names map to their families at any position in the field. An unknown sender is a person
// only if it looks like a browser.
func TestOf(t *testing.T) {
	x := readers.NewIndex("parley")
	const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0 Safari/537.36"
	for _, c := range []struct {
		agent  string
		family readers.Family
		name   string
	}{
		{chrome, readers.People, ""},
		{"Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1", readers.People, ""},
		{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", readers.Search, "Googlebot"},
		{"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", readers.Search, "bingbot"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)", readers.Training, "GPTBot"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", readers.AIUser, "ChatGPT-User"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot)", readers.AISearch, "OAI-SearchBot"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", readers.Training, "ClaudeBot"},
		{"Claude-User (claude-code/2.1; +https://support.anthropic.com/)", readers.AIUser, "Claude-User"},
		{"meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", readers.Training, "meta-externalagent"},
		{"Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers; like FeedFetcher-Google)", readers.Feeds, "Feedly"},
		{"Tiny Tiny RSS/24.11 (https://tt-rss.org/)", readers.Feeds, "RSS"},
		{"parley/1.4.0", readers.Tool, ""},
		{"curl/8.11.0", readers.Other, ""},
		{"", readers.Other, ""},
		{"Mozilla/5.0 (compatible; SomeNewBot/1.0; +https://x.example)", readers.Other, ""},
		{strings.Replace(chrome, "Chrome/", "HeadlessChrome/", 1), readers.Other, ""},
		{"gptbot-not/1.0", readers.Other, ""},
		{strings.Repeat("a", 4000) + " GPTBot", readers.Training, "GPTBot"},
	} {
		if family, name := x.Of(c.agent); family != c.family || name != c.name {
			t.Errorf("%.90q is %s %q, want %s %q", c.agent, family, name, c.family, c.name)
		}
	}
}

// Each name is listed once and is one word that the index can find, and its family is shown in reports.
func TestAgents(t *testing.T) {
	x := readers.NewIndex()
	seen := make(map[string]bool)
	for _, a := range readers.Agents() {
		if folded := strings.ToLower(a.Name); seen[folded] {
			t.Errorf("%s is listed twice", a.Name)
		} else {
			seen[folded] = true
		}
		if family, name := x.Of("Mozilla/5.0 (compatible; " + a.Name + "/1.0)"); family != a.Family || name != a.Name {
			t.Errorf("%s is found as %s %q", a.Name, family, name)
		}
		if !slices.Contains(readers.Families(), a.Family) {
			t.Errorf("%s is of the family %s, which is not shown", a.Name, a.Family)
		}
	}
}

// A lookup allocates no memory, because a server calls it for every request.
func TestOfDoesNotAllocate(t *testing.T) {
	x := readers.NewIndex()
	if n := testing.AllocsPerRun(100, func() { x.Of("Mozilla/5.0 (compatible; SomeNewBot/1.0; +https://x.example)") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOf(b *testing.B) {
	x := readers.NewIndex()
	for b.Loop() {
		x.Of("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0 Safari/537.36")
	}
}

// The lists of names in a build identify the same programs that read for language models as the index does.
func TestBuildsDecideEqually(t *testing.T) {
	dir, index := t.TempDir(), readers.NewIndex()
	ai, others := readers.Words()
	rig.Publish(t, dir, nil, []artifact.Resource{artifact.OptionOfAgents(ai, others)})
	kept := rig.Open(t, dir).Manifest.Agents
	if gotAI, gotOthers := kept.Names(); !slices.Equal(gotAI, ai) || !slices.Equal(gotOthers, others) {
		t.Errorf("the build keeps %v and %v", gotAI, gotOthers)
	}
	userAgents := []string{"", "curl/8", "Mozilla/5.0", "GPTBots", "xGPTBot", strings.Repeat("a", 4000) + " GPTBot", "GPTBot" + strings.Repeat("x", 60)}
	for _, name := range append(ai, others...) {
		userAgents = append(userAgents, name, strings.ToUpper(name)+"/1.0", "Mozilla/5.0 (compatible; "+name+"/2)", "Googlebot "+name, "ClaudeBot,"+name, name+"\xff", "-"+name)
	}
	found := 0
	for _, u := range userAgents {
		family, _ := index.Of(u)
		if kept.AI(u) {
			found++
		}
		if kept.AI(u) != family.AI() {
			t.Errorf("%.90q is of %s, and a build says %t", u, family, kept.AI(u))
		}
	}
	if found < len(ai) {
		t.Errorf("%d of %d are found", found, len(userAgents))
	}
}
