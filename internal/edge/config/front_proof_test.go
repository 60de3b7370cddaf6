//go:build proof

package config_test

import (
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve/decide"
)

// The snippet for Fastly maps any Accept field to the correct one of two values, or passes the request on. No program
// that runs Fastly's VCL can be installed here, so the test translates the snippet to Perl, on whose regular
// expressions PCRE is based. It translates line by line, and fails on an unknown kind of line.
func TestFastlySnippet(t *testing.T) {
	_, body, _ := strings.Cut(config(t, "fastly"), "\nsub vitrine_recv {\n")
	body, _, found := strings.Cut(body, "\n}\n")
	if !found {
		t.Fatalf("there is no vitrine_recv:\n%s", body)
	}
	forms := []struct{ vcl, perl string }{
		{`^declare local var\.(\w+) FLOAT;$`, `my $$$1 = 0;`},
		{`^set var\.(\w+) = ([0-9.]+);$`, `$$$1 = $2;`},
		{`^set var\.(\w+) = std\.atof\(re\.group\.1\);$`, `$$$1 = $$1;`},
		{`^set req\.http\.Accept = ("[a-z/]+");$`, `$$accept = $1;`},
		{`^(}? ?)(?:else )?if \(req\.http\.Accept ~ {"([^']*)"}\) {$`, `$1 if ($$accept =~ m'$2') {`},
		{`^if \(req\.method != "GET" && req\.method != "HEAD"\) {$`, `if (0) {`},
		{`^if \(req\.url ~ "([^']*)" \|\| req\.url ~ "([^']*)" \|\| req\.http\.If-Match \|\| req\.http\.Accept ~ "([^']*)" \|\| req\.http\.Accept ~ {"([^']*)"}\) {$`,
			`if ($$url =~ m'$1' || $$url =~ m'$2' || $$accept =~ m'$3' || $$accept =~ m'$4') {`},
		{`^if \(req\.url\.ext == "md" && req\.url ~ "([^"]*)"\) {$`, `if ($$url =~ m'\.md$$' && $$url =~ m'$1') {`},
		{`^if \(var\.(\w+) > ([0-9.]+) && var\.(\w+) >= var\.(\w+)\) {$`, `if ($$$1 > $2 && $$$3 >= $$$4) {`},
		{`^if \(var\.(\w+) > var\.(\w+)\) {$`, `if ($$$1 > $$$2) {`},
		{`^(} else {|})$`, `$1`},
		{`^return\(pass\);$`, `return "pass";`},
		{`^return;$`, `return $$accept;`},
		{`^unset req\.http\.Range;$|^#.*$|^$`, ``},
	}
	perl := "sub decide { my ($url, $accept) = @_;\n"
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		known := false
		for _, form := range forms {
			if e := regexp.MustCompile(form.vcl); e.MatchString(line) {
				said := e.ReplaceAllString(line, form.perl)
				perl += strings.Replace(said, "}  if", "} elsif", 1) + "\n"
				known = true
				break
			}
		}
		if !known {
			t.Fatalf("no form of VCL that this test knows: %s", line)
		}
	}
	perl += "return $accept; }\n" + `while (<STDIN>) { chomp; my ($url, $accept) = split /\x01/, $_, -1; print decide($url, $accept), "\n"; }`
	var input strings.Builder
	var asked, want []string
	r := rand.New(rand.NewPCG(9110, 8))
	for range 3000 {
		accept, url := acceptField(r), []string{"/pricing", "/pricing.md"}[r.IntN(2)]
		if r.IntN(4) == 0 {
			accept += ", " + acceptField(r)
		}
		markdown := decide.PrefersMarkdown(accept)
		if strings.HasSuffix(url, ".md") {
			markdown = !decide.PrefersHTML(accept)
		}
		asked = append(asked, url+" with Accept: "+accept)
		want = append(want, map[bool]string{true: "text/markdown", false: "text/html"}[markdown])
		input.WriteString(url + "\x01" + accept + "\n")
	}
	c := exec.Command(rig.Tool(t, "perl"), "-e", perl)
	c.Stdin = strings.NewReader(input.String())
	out, err := c.CombinedOutput()
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v: %d answers to %d questions\n%.2000s", err, len(got), len(want), out)
	}
	passed := 0
	for i := range want {
		if got[i] == "pass" {
			passed++
		} else if got[i] != want[i] {
			t.Errorf("%s becomes %s, want %s", asked[i], got[i], want[i])
		}
	}
	t.Logf("%d of %d fields are passed", passed, len(want))
	if passed > len(want)/2 {
		t.Errorf("%d of %d fields are passed", passed, len(want))
	}
}
