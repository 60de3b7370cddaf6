package main_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// --check accepts options that the server could start with and reports all problems of other options. It doesn't serve
// the site.
func TestCheck(t *testing.T) {
	t.Parallel()
	vitrined := compiled(t)
	dir, damaged := smallSite(t), smallSite(t)
	pages, err := filepath.Glob(filepath.Join(damaged, "coded", "*.pack"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("the build has no packs: %v", err)
	}
	data, err := os.ReadFile(pages[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(pages[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCertificate(t, t.TempDir(), 1)
	for name, test := range map[string]struct {
		arguments []string
		code      int
		want      []string
	}{
		"a build":                 {[]string{"--check", dir}, 0, []string{"is complete, and the flags are valid"}},
		"all flags":               {[]string{"--check", dir, "--addr", ":443", "--admin", "127.0.0.1:9090", "--tls-cert", c.cert, "--tls-key", c.key}, 0, nil},
		"no build":                {[]string{"--check", t.TempDir()}, 1, []string{"vitrined: "}},
		"damage":                  {[]string{"--check", damaged}, 1, []string{"verifying the build in " + damaged}},
		"two problems":            {[]string{"--check", damaged, "--addr", "nowhere"}, 1, []string{"verifying the build", "--addr: ", "write it as 127.0.0.1:8080"}},
		"a wrong key":             {[]string{"--check", dir, "--tls-cert", c.cert, "--tls-key", c.cert}, 1, []string{"loading the certificate in " + c.cert}},
		"a wrong flag":            {[]string{"--check", dir, "--engine", "steam"}, 2, []string{`unknown engine "steam"`}},
		"an unknown flag":         {[]string{"--check", dir, "--nope"}, 2, []string{"unknown flag --nope (run vitrined --help for the list)"}},
		"an argument":             {[]string{"--check", dir, "extra"}, 2, []string{`unexpected argument "extra"`}},
		"a folder without a name": {[]string{"--check", ""}, 2, []string{"specify a build folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), string(vitrined), test.arguments...)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("it exits %d, want %d:\n%s", code, test.code, out.String())
			}
			if lines := strings.Count(out.String(), "\n"); lines > 3 {
				t.Errorf("it prints %d lines:\n%s", lines, out.String())
			}
			for _, want := range test.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("it lacks %q:\n%s", want, out.String())
				}
			}
		})
	}
}
