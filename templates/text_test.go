package templates_test

import (
	"strings"
	"testing"
)

type llmsData struct {
	Site     siteData
	Product  productData
	Sections []section
	Optional []listedLink
	LLMsFull bool
}

// TestLLMs proves the order that readers of llms.txt rely on: a title, a
// summary with text after it, the guidance, then sections that hold nothing
// but links, the optional one last.
func TestLLMs(t *testing.T) {
	rich, poor := full("page", ""), minimal[string]("page")
	for name, data := range map[string]llmsData{
		"full": {rich.Site, rich.Product, []section{
			{"Pages", []listedLink{{"Pricing", base + "/pricing.md", "What it costs"}, {"Product", base + "/product.md", ""}}},
			{"Empty", nil},
		}, []listedLink{{"Notes", base + "/notes.md", ""}}, true},
		"minimal": {Site: poor.Site, Product: poor.Product},
	} {
		t.Run(name, func(t *testing.T) {
			text := renderText(t, "text/llms.txt", data)
			cleanMarkdown(t, text)
			lines := strings.Split(text, "\n")
			if lines[0] != "# Parley" || !strings.HasPrefix(lines[2], "> Sales coaching") || lines[4] == "" {
				t.Errorf("not a title, a summary and a paragraph:\n%s", text)
			}
			before, sections, _ := strings.Cut(text, "\n## ")
			if !strings.Contains(before, "When to use it:") || !strings.Contains(before, "When not to use it:") {
				t.Error("the guidance does not stand before the lists")
			}
			for _, line := range strings.Split(sections, "\n")[1:] {
				if line != "" && !strings.HasPrefix(line, "## ") && !strings.HasPrefix(line, "- [") {
					t.Errorf("a section holds more than links: %q", line)
				}
			}
			if last := text[strings.LastIndex(text, "\n## "):]; !strings.HasPrefix(last, "\n## Optional\n") {
				t.Errorf("the last section is %.20q", last)
			}
			if strings.Contains(text, "## Empty") {
				t.Error("a section without links is there")
			}
			if got := strings.Contains(text, "llms-full.txt"); got != data.LLMsFull {
				t.Errorf("llms-full.txt is named: %t, want %t", got, data.LLMsFull)
			}
		})
	}
}

// TestRobots proves the groups of robots.txt: everyone is let in under the
// site's signals, each named group says what it may, and the sitemap is told.
func TestRobots(t *testing.T) {
	type group struct {
		Agents []string
		Allow  bool
	}
	type robots struct {
		Sitemap, Signals string
		Groups           []group
	}
	for _, c := range []struct {
		data robots
		want string
	}{
		{robots{base + "/sitemap.xml", "", nil}, "User-agent: *\nAllow: /\n\nSitemap: https://parley.example/sitemap.xml\n"},
		{robots{base + "/sitemap.xml", "search=yes, ai-train=no", []group{{[]string{"A"}, true}, {[]string{"B", "C"}, false}}},
			"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n" +
				"\nUser-agent: A\nContent-Signal: search=yes, ai-train=no\nAllow: /\n" +
				"\nUser-agent: B\nUser-agent: C\nContent-Signal: search=yes, ai-train=no\nDisallow: /\n" +
				"\nSitemap: https://parley.example/sitemap.xml\n"},
	} {
		if got := renderText(t, "text/robots.txt", c.data); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestSecurity proves that security.txt holds the fields of RFC 9116 §2.5.
func TestSecurity(t *testing.T) {
	got := renderText(t, "text/security.txt", struct{ Contact, Expires, Canonical, Language string }{
		"mailto:security@parley.example", "2027-01-01T00:00:00Z", base + "/.well-known/security.txt", "en"})
	want := "Contact: mailto:security@parley.example\nExpires: 2027-01-01T00:00:00Z\nPreferred-Languages: en\nCanonical: https://parley.example/.well-known/security.txt\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
