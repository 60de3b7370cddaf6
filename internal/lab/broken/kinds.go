package broken

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/edge/platform"
	"vitrine/internal/lab/rig"
	"vitrine/internal/verify"
)

// Kind is a kind of site. verify must find no problems with such a site on any host.
type Kind struct {
	Name string
	// Base is the base URL of the site's absolute links, and Mount is the path of Base, or "" for a site at the root.
	Base, Mount string
	// Page is the path of the first article, without the mount.
	Page string
	// files maps the names of the site's source files to their content. It is nil for the sample site in the checkout.
	files map[string]string
}

// Agents reports whether the site sends Markdown to known agents, which some hosts don't support.
func (k Kind) Agents() bool { return k.Name == "agents" }

// languages reports whether the site is in several languages.
func (k Kind) languages() bool { return k.Name == "languages" || k.Name == "path" }

// Kinds returns the kinds of site: the sample site, a site in four languages, a site under a path whose facts contain
// URLs of the site, and a site that sends Markdown to known agents.
func Kinds() []Kind {
	return []Kind{
		{Name: "plain", Base: "https://parley.example", Page: "/blog/coaching-week-for-six"},
		{Name: "languages", Base: "https://acorn.example", Page: "/blog/one", files: rig.LanguagesSite()},
		{Name: "path", Base: rig.PathBase, Mount: "/atelier", Page: "/blog/un", files: rig.PathSite()},
		{Name: "agents", Base: "https://tiny.example", Page: "/blog/first", files: rig.TinySite("One", "negotiation: {agents: true}\n")},
	}
}

// checks returns the names of the checks that apply to the site on every host. If thorough is true, it includes the
// checks that only a thorough verification runs.
func (k Kind) checks(thorough bool) []string {
	all := []string{
		"discovery", "indexing", "counters", "mixing", "vary", "compression", "conditional", "head", "redirects", "errors", "headers",
		"files", "operation", "links", "build", "answers",
	}
	if k.Agents() {
		all = append(all, "agents")
	}
	if k.languages() {
		all = append(all, "languages")
	}
	if thorough {
		all = append(all, "contract/accept", "contract/conditional", "contract/missing", "contract/operation", "contract/pages", "contract/redirect")
		if k.Agents() {
			all = append(all, "contract/agents")
		}
		if k.languages() {
			all = append(all, "contract/languages")
		}
	}
	return all
}

// Sources writes the site's sources to root. allowance, such as 7000/60s, replaces the site's request allowance unless
// allowance is "".
func (k Kind) Sources(t testing.TB, root, allowance string) {
	t.Helper()
	var err error
	if k.files == nil {
		err = os.CopyFS(filepath.Join(root, "content"), os.DirFS(filepath.Join(rig.Root(t), "content")))
	} else {
		err = rig.WriteFiles(root, k.files)
	}
	if err != nil {
		t.Fatal(err)
	}
	if allowance == "" {
		return
	}
	name := filepath.Join(root, "content", "site.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = append(bytes.Replace(text, []byte("\napi:\n"), []byte("\napi:\n  allowance: "+allowance+"\n"), 1), '\n')
	if !bytes.Contains(text, []byte("allowance: "+allowance)) {
		text = fmt.Appendf(text, "api: {allowance: %s}\n", allowance)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A Site is a published site of one kind, together with the host that serves it.
type Site struct {
	Kind Kind
	Host *hosts.Host
	// URL is the URL of the site's home page, including the mount.
	URL   string
	Build *artifact.Build
	// Renew starts a new window of the allowance. It is nil if the host doesn't count requests or its allowance is
	// large enough.
	Renew func()
	// Names lists the hosts that verify may report in addition to Host if the options of verify don't name a host.
	Names []string
	// Marks are the header fields by which verify recognizes a platform. The platform's local runtime doesn't send
	// these fields.
	Marks []platform.Mark
}

// run verifies the site and returns the report. It renews the allowance before the verification, and whenever verify
// would sleep.
func (s Site) run(t testing.TB, o verify.Options) *verify.Report {
	t.Helper()
	o.Build = s.Build
	if s.Renew != nil {
		s.Renew()
		o.Sleep = func(context.Context, time.Duration) error { s.Renew(); return nil }
	}
	report, err := verify.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// FalseAlarms runs a quick check with and without the host's name, and a thorough check. It fails the test if verify
// finds a problem with the site, skips an applicable check, or reports the wrong host.
func (s Site) FalseAlarms(t testing.TB) {
	t.Helper()
	for _, o := range []verify.Options{{}, {Host: s.Host}, {Host: s.Host, Thorough: true}} {
		o.URL = s.URL
		if o.Host == nil && len(s.Marks) > 0 {
			o.URL = Proxy(t, s.URL, s.marked)
		}
		report := s.run(t, o)
		told := o.Host != nil || slices.Contains(s.Names, report.Host) || report.Host == s.Host.Name
		if report.Count(verify.Failed) > 0 || !told {
			t.Errorf("verifying the site (thorough: %v, host named: %v) failed, or reported the wrong host %q:\n%s", o.Thorough, o.Host != nil, report.Host, text(report))
		}
		for _, name := range s.Kind.checks(o.Thorough) {
			if !slices.ContainsFunc(report.Checks, func(c *verify.Check) bool { return c.Name == name && c.Outcome != verify.Skipped }) {
				t.Errorf("verifying the site (thorough: %v, host named: %v) skipped the check %s", o.Thorough, o.Host != nil, name)
			}
		}
	}
}

// marked adds the header fields in s.Marks to the responses of next.
func (s Site) marked(next http.Handler) http.Handler {
	return Change(next, func(_ *http.Request, a *httptest.ResponseRecorder) {
		for _, m := range s.Marks {
			a.Header().Set(m.Field, cmp.Or(m.Word, "1"))
		}
	})
}

// Faults plants faults in a proxy in front of the site, one at a time. It plants every share-th fault in order of name,
// starting at index first, so that several sites can divide the faults among themselves. It fails the test if verify
// finds none of a fault's symptoms, or if the proxy alone causes a problem. It returns the names of the planted faults.
func (s Site) Faults(t testing.TB, first, share int) (planted []string) {
	t.Helper()
	all := Faults(s.Kind.Page)
	if s.Host.Counts() {
		maps.Copy(all, AllowanceFaults())
	}
	if !s.Host.Codes() {
		// On such a host, the platform itself compresses responses and weakens their ETags.
		delete(all, "compression weakens the ETag")
	}
	if s.Kind.Agents() {
		maps.Copy(all, AgentFaults())
	}
	if report := s.run(t, verify.Options{URL: Proxy(t, s.URL, unchanged), Host: s.Host}); report.Count(verify.Failed) > 0 {
		t.Errorf("verifying the site through a proxy without faults failed:\n%s", text(report))
	}
	if s.Kind.languages() {
		maps.Copy(all, LanguageFaults())
	}
	if s.Kind.Mount != "" {
		maps.Copy(all, MountFaults(s.Kind.Mount))
	}
	names := slices.Sorted(maps.Keys(all))
	for i := first % share; i < len(names); i += share {
		fault := all[names[i]]
		report := s.run(t, verify.Options{URL: Proxy(t, s.URL, fault.Between), Host: s.Host})
		if !slices.ContainsFunc(fault.Want, func(want string) bool { return has(report, want) }) {
			t.Errorf("the fault %q was not found; want at least one of the findings %v:\n%s", names[i], fault.Want, text(report))
		}
		planted = append(planted, names[i])
	}
	return planted
}

// has reports whether report contains finding, written as check/symptom.
func has(report *verify.Report, finding string) bool {
	return slices.ContainsFunc(report.Checks, func(c *verify.Check) bool {
		return slices.ContainsFunc(c.Findings, func(f *verify.Finding) bool { return c.Name+"/"+string(f.Symptom) == finding })
	})
}

// text returns a report in the form that verify prints.
func text(report *verify.Report) string {
	var b strings.Builder
	_ = report.WriteText(&b) // writing to a strings.Builder can't fail
	return b.String()
}
