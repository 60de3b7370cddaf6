package deployed_test

import (
	"testing"
	"testing/fstest"

	"vitrine/internal/artifact"
	"vitrine/internal/check/deployed"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

func TestCheck(t *testing.T) {
	const command = "vitrine config nginx --server-name 'a.example b.example'"
	made := func(mount string, agents bool) string {
		return "# nginx\n#\n# " + artifact.MadeFor{Mount: mount, Agents: agents, Command: command}.String() + "\n\nmap a b {\n}\n"
	}
	probe := func(from, path string) string {
		return from + "\nHEALTHCHECK CMD [\"/vitrined\", \"--probe\", \"http://127.0.0.1:8080" + path + "\"]\n"
	}
	for name, c := range map[string]struct {
		base   string
		agents bool
		file   string
		text   string
		// line and col are the position of the warning, and want is its text, or "" for no warning.
		line, col int
		want      string
	}{
		"configuration of this site":   {"https://a.example/acorn", true, "nginx.conf", made("/acorn", true), 0, 0, ""},
		"configuration of a root site": {"https://a.example", false, "nginx.conf", made("", false), 0, 0, ""},
		"new path": {"https://a.example/acorn", false, "nginx.conf", made("", false), 3, 3,
			"this configuration was generated for a site at /, but baseURL in site.yaml has the path /acorn; run vitrine build && " + command + " > nginx.conf"},
		"removed path": {"https://a.example", false, "deploy/site.vcl", made("/acorn", false), 3, 3,
			"this configuration was generated for a site at /acorn, but baseURL in site.yaml has the path /; run vitrine build && " + command + " > deploy/site.vcl"},
		"agents": {"https://a.example", true, "Caddyfile", made("", false), 3, 3,
			"this configuration was generated for negotiation.agents: false, but site.yaml has true; run vitrine build && " + command + " > Caddyfile"},
		"somebody else's configuration": {"https://a.example/acorn", false, "nginx.conf", "server {}\n", 0, 0, ""},
		"in the content":                {"https://a.example/acorn", false, "content/nginx.conf", made("", false), 0, 0, ""},
		"probe of health":               {"https://a.example/acorn", false, "Dockerfile", probe("FROM scratch", "/readyz"), 0, 0, ""},
		"probe of a page":               {"https://a.example/acorn", false, "Dockerfile", probe("FROM scratch", "/acorn/pricing"), 0, 0, ""},
		"probe outside the site": {"https://a.example/acorn", false, "Dockerfile", probe("FROM ghcr.io/a/b:1.2.3 AS release", "/robots.txt"), 2, 64,
			"the probe requests /robots.txt, which the site at /acorn does not have; run vitrine config docker --image ghcr.io/a/b:1.2.3 > Dockerfile"},
		"probe of the previous path": {"https://a.example", false, "Dockerfile", probe("ADD vitrine_1.2.3_linux_${TARGETARCH}.tar.gz /", "/acorn/robots.txt"), 2, 64,
			"the probe requests /acorn/robots.txt, which the site at / does not have; run vitrine config docker --release 1.2.3 > Dockerfile"},
		"assets of Netlify": {"https://a.example", false, "netlify.toml", "  excludedPath = \"/assets/*\"\n", 0, 0, ""},
		"assets of Netlify under a path": {"https://a.example/acorn", false, "netlify.toml", "[[edge_functions]]\n  path = \"/*\"\n  excludedPath = \"/assets/*\"\n", 3, 3,
			"Netlify serves /assets/ outside the site, which is at /acorn; remove this line, or run vitrine fix"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &site.Site{Config: site.Config{BaseURL: c.base, AgentsGetMarkdown: c.agents}}
			files := deployed.Find(fstest.MapFS{c.file: {Data: []byte(c.text)}})
			problems := files.Check(s)
			if c.want == "" {
				if len(problems) > 0 {
					t.Errorf("unexpected warning: %v", problems)
				}
				return
			}
			if len(problems) != 1 {
				t.Fatalf("got %d warnings, want one: %v", len(problems), problems)
			}
			p := problems[0]
			if p.Path != c.file || p.Code != rule.StaleDeploy || p.Severity != site.Warning || p.Text != c.want || p.Line != c.line || p.Col != c.col {
				t.Errorf("got %s:%d:%d: %s %s: %s\nwant %d:%d: %s", p.Path, p.Line, p.Col, p.Severity, p.Code, p.Text, c.line, c.col, c.want)
			}
			if e := p.Fix; e != (site.Edit{}) && c.text[e.Start:e.Start+len(e.Old)] != e.Old {
				t.Errorf("the edit replaces %q, which is not at its place", e.Old)
			}
		})
	}
}

// Sum changes if a deploy file is edited, renamed, or removed, but doesn't depend on other files.
func TestSum(t *testing.T) {
	sum := func(files fstest.MapFS) uint64 { return deployed.Find(files).Sum() }
	one := fstest.MapFS{"a.conf": {Data: []byte("a")}, "README": {Data: []byte("x")}}
	if other := (fstest.MapFS{"a.conf": {Data: []byte("a")}}); sum(one) != sum(other) {
		t.Error("a file that is no deploy file changes the sum")
	}
	for _, other := range []fstest.MapFS{{}, {"a.conf": {Data: []byte("b")}}, {"b.conf": {Data: []byte("a")}}} {
		if sum(one) == sum(other) {
			t.Errorf("%v has the same sum", other)
		}
	}
}
