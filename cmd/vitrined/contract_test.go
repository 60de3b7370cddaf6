package main_test

import (
	"net/http"
	"slices"
	"testing"

	"vitrine/internal/contract"
	"vitrine/internal/contract/contracttest"
	"vitrine/internal/lab/rig"
)

// The production server satisfies the complete contract, with either engine.
func TestContract(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := t.TempDir()
	buildSite(t, "../..", dir)
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) { testContract(t, vitrined, dir, engine) })
	}
}

func testContract(t *testing.T, vitrined program, dir, engine string) {
	contracttest.Test(t, contract.Target{
		Base: "https://parley.example",
		Can:  append(contract.OriginServer(), contract.BrotliPages, contract.ContentSignal, contract.SecurityContact),
		Values: map[string]string{
			"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
			"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
		},
		Fresh: func() (string, error) { return vitrined.start(t, "--dir", dir, "--engine", engine).url, nil },
	})
}

// A multilingual site satisfies the contract, including its part on languages, with each engine.
func TestContractOfLanguages(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := rig.Build(t, rig.Site(t, rig.LanguagesSite()), rig.Options{})
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			contracttest.Test(t, contract.Target{
				Base: "https://acorn.example", Can: append(contract.OriginServer(), contract.BrotliPages),
				// The contract skips exchanges whose values are unset. These values enable the part on languages.
				Values: map[string]string{"LANGUAGE": "de", "TRANSLATED": "/de/preise", "ORIGINAL": "/pricing"},
				Fresh:  func() (string, error) { return vitrined.start(t, "--dir", dir, "--engine", engine).url, nil },
			})
		})
	}
}

// A documentation site with versions, two languages, and an API reference satisfies the contract with each engine.
func TestContractOfDocumentation(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir := rig.Build(t, rig.Site(t, rig.DocumentationSite(60)), rig.Options{})
	for _, engine := range []string{"fast", "net/http"} {
		t.Run(engine, func(t *testing.T) {
			contracttest.Test(t, contract.Target{
				Base: "https://acorn.example", Can: append(contract.OriginServer(), contract.BrotliPages),
				Values: map[string]string{"PAGE": "/docs/reference/things-0/get-thing0", "LANGUAGE": "de", "TRANSLATED": "/de/docs/reference", "ORIGINAL": "/docs/reference"},
				Fresh:  func() (string, error) { return vitrined.start(t, "--dir", dir, "--engine", engine).url, nil },
			})
		})
	}
}

// A version with an announced retirement sends the retirement's fields and satisfies the rest of the contract.
func TestContractOfRetiredVersion(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", `
api:
  retirement: {deprecation: 2027-01-01, sunset: 2027-07-01, notice: "https://tiny.example/blog/first"}
robots: {noindexMarkdown: true}
`)
	buildSite(t, root, dir)
	contracttest.Test(t, contract.Target{
		Base:  "https://tiny.example",
		Can:   append(contract.OriginServer(), contract.BrotliPages, contract.Retirement, contract.Sunset, contract.NoindexMarkdown),
		Fresh: func() (string, error) { return vitrined.start(t, "--dir", dir).url, nil },
	})
	response, err := http.Get(vitrined.start(t, "--dir", dir).url + "/api/v1/marketing")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for name, want := range map[string]string{
		"Deprecation": "@1798761600", "Sunset": "Thu, 01 Jul 2027 00:00:00 GMT",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A site with digests, preferences, a license, and Markdown for known agents satisfies the contract with every engine
// and protocol.
func TestContractOfChoices(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	root, dir := t.TempDir(), t.TempDir()
	writeSite(t, root, "One", "\nreprDigest: true\nnegotiation: {agents: true}\nlicense: https://licence.example/terms.xml\nrobots: {contentUsage: {train-ai: no, search: yes}}\n")
	buildSite(t, root, dir)
	c := newCertificate(t, t.TempDir(), 1)
	files, err := contract.Load(contract.Files())
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f *contract.File) bool {
		return !slices.Contains([]string{"digest.txt", "agents.txt", "preferences.txt"}, f.Name)
	})
	for name, on := range map[string]struct {
		transport http.RoundTripper
		flags     []string
	}{
		"fast": {nil, nil}, "net/http": {nil, []string{"--engine", "net/http"}},
		"h2": {c.client(t, "h2").Transport, []string{"--tls-cert", c.cert, "--tls-key", c.key}},
	} {
		report, err := contract.PlayFiles(t.Context(), contract.Target{
			Base: "https://tiny.example", Transport: on.transport,
			Can: []contract.Capability{contract.ReprDigest, contract.Agents, contract.ContentUsage, contract.License, contract.LiveCounters, contract.Gzip, contract.Brotli, contract.BrotliPages},
			Fresh: func() (string, error) {
				return vitrined.start(t, append([]string{"--dir", dir}, on.flags...)...).url, nil
			},
		}, files)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Files {
			for _, c := range f.Cases {
				if len(c.Failures) > 0 || len(c.NotApplicable) > 0 || c.Exact == 0 {
					t.Errorf("%s: %s: %v, passed over %v", name, c.Title, c.Failures, c.NotApplicable)
				}
			}
		}
	}
}
