// Package built builds sites for the audits that are Go tests, with the
// editor's own tool, as its users do. It promises a finished build in a folder
// of the test's own, or a failed test that shows what the tool said.
package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the project's root folder.
func Root(t testing.TB) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatalf("go env GOMOD: %v", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

// Site builds the site at root and returns the build's folder.
func Site(t testing.TB, root string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "build")
	arguments := append([]string{"run", "./cmd/vitrine", "build", "--root", root, "--out", out}, flags...)
	cmd := exec.CommandContext(t.Context(), "go", arguments...)
	cmd.Dir = Root(t)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", root, err, said)
	}
	return out
}

// Public reads a file of the build's public folder.
func Public(t testing.TB, build, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(build, "public", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
