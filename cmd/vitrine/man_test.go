package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The manual page lists every command and flag. If groff is installed, it formats the page without warnings.
func TestMan(t *testing.T) {
	var page strings.Builder
	if err := writeMan(&page); err != nil {
		t.Fatal(err)
	}
	for _, v := range verbs() {
		if !strings.Contains(page.String(), "\n.SS "+manQuote("vitrine "+v.name+v.arguments)+"\n") {
			t.Errorf("the page lacks %s", v.name)
		}
	}
	for _, want := range []string{"\n.BR \\-\\-wait \" \" \\fIDURATION\\fP\n", "\n.BR \\-\\-dry\\-run\n", "\n.SH EXIT STATUS\n"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := manText(".a\\b-c\n'd"); got != `\&.a\eb\-c 'd` {
		t.Errorf("escaped as %s", got)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	cmd := exec.CommandContext(t.Context(), groff, "-man", "-ww", "-z", "-Tutf8")
	cmd.Stdin = strings.NewReader(page.String())
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
