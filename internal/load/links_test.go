package load

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Links with a scheme that isn't allowed are rejected, and the message names an allowed scheme.
func TestSchemesOfLinks(t *testing.T) {
	for _, scheme := range []string{"livescript", "javascript", "vbscript", "data", "file", "ftp", "sms", "view-source", "x-anything"} {
		link := scheme + ":x"
		dir := baseSite(t,
			page("content/a.md", "---\ntitle: A\nimage: "+link+"\n---\n"),
			page("content/site.yaml", "baseURL: https://parley.example\ntitle: P\nnavigation: [{label: X, path: \""+link+"\"}]\nsecurity: {contact: \""+link+"\"}\n"),
			page("content/product.yaml", strings.Replace(baseProduct(t), "links: {}", "links: {x: \""+link+"\"}", 1)))
		_, problems := loadDir(t, dir, Options{Now: now()})
		if len(problems) != 4 {
			t.Errorf("%s:\n%s", scheme, diagnostics(problems))
		}
		for _, p := range problems {
			if !strings.Contains(p.Text, "https:") {
				t.Errorf("%s does not say what is allowed", p)
			}
		}
	}
	for link, problem := range map[string]string{
		"https://a.bc": "", "http://a.bc": "", "mailto:a@b.cd": "", "tel:+49": "", "HTTPS://a.bc": "",
	} {
		if got := linkTarget(link); got != problem {
			t.Errorf("%s: %s", link, got)
		}
	}
	if securityContact("http://a.bc/") == "" || securityContact("https://a.bc/") != "" {
		t.Error("a security contact is at https:")
	}
}

func baseProduct(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/base/content/product.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An alias can't use an address handled by the server itself, because nginx would reject the entire configuration.
func TestOwnAddresses(t *testing.T) {
	for _, alias := range []string{"/", "/index", "/index/", "/index.html", "/index.md", "/404", "/404.html", "/.well-known/acme-challenge/x"} {
		_, problems := loadDir(t, baseSite(t, page("content/a.md", "---\ntitle: A\naliases: ["+alias+"]\n---\n")), Options{Now: now()})
		if len(problems) != 1 || problems[0].Path != "content/a.md" || problems[0].Line != 3 {
			t.Errorf("%s: %s", alias, diagnostics(problems))
		}
	}
	if _, problems := loadDir(t, baseSite(t, page("content/a.md", "---\ntitle: A\naliases: [/blog/index, /indexes, /4040]\n---\n")), Options{Now: now()}); len(problems) > 0 {
		t.Error(diagnostics(problems))
	}
}

// Values too long for file names, header fields, or configurations are rejected.
func TestOverlong(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n) }
	for name, c := range map[string]struct{ most, more txtar.File }{
		"title":       {page("content/a.md", "---\ntitle: "+long(300)+"\n---\n"), page("content/a.md", "---\ntitle: "+long(301)+"\n---\n")},
		"heading":     {page("content/a.md", "# "+long(300)+"\n"), page("content/a.md", "# "+long(301)+"\n")},
		"description": {page("content/a.md", "---\ntitle: A\ndescription: "+long(2000)+"\n---\n"), page("content/a.md", "---\ntitle: A\ndescription: "+long(2001)+"\n---\n")},
		"tag":         {page("content/a.md", "---\ntitle: A\ntags: ["+long(100)+"]\n---\n"), page("content/a.md", "---\ntitle: A\ntags: ["+long(101)+"]\n---\n")},
		"name":        {page("content/"+long(197)+".md", "# A"), page("content/"+long(198)+".md", "# A")},
		"slug":        {page("content/a.md", "---\ntitle: A\nslug: "+long(200)+"\n---\n"), page("content/a.md", "---\ntitle: A\nslug: "+long(201)+"\n---\n")},
		"alias":       {page("content/a.md", "---\ntitle: A\naliases: [/"+long(200)+"]\n---\n"), page("content/a.md", "---\ntitle: A\naliases: [/"+long(201)+"]\n---\n")},
		"path": {page("content/a.md", "---\ntitle: A\naliases: ["+strings.Repeat("/"+long(99), 10)+"]\n---\n"),
			page("content/a.md", "---\ntitle: A\naliases: ["+strings.Repeat("/"+long(99), 10)+"/a]\n---\n")},
		"image": {page("content/a.md", "---\ntitle: A\nimage: https://a.bc/"+long(1987)+"\n---\n"), page("content/a.md", "---\ntitle: A\nimage: https://a.bc/"+long(1988)+"\n---\n")},
	} {
		if _, problems := loadDir(t, baseSite(t, c.most), Options{Now: now(), TitleOf: firstHeading}); len(problems) > 0 {
			t.Errorf("%s, just short enough: %s", name, diagnostics(problems))
		}
		_, problems := loadDir(t, baseSite(t, c.more), Options{Now: now(), TitleOf: firstHeading})
		if len(problems) != 1 || !strings.Contains(problems[0].Text, "the maximum is") {
			t.Errorf("%s, too long: %s", name, diagnostics(problems))
		}
	}
}
