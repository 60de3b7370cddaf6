package config_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// The programs, and the build of the sample site that most tests serve.
var (
	programs rig.Programs
	sample   string
)

func TestMain(m *testing.M) {
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// setUp builds the programs and the site, and runs the tests.
func setUp(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "hostconfig")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	sample = filepath.Join(dir, "site")
	programs, err = rig.Compile()
	// Servers that switch to another user must be able to read the folder.
	err = errors.Join(err, os.Chmod(dir, 0o755), rig.BuildSite(context.Background(), module, sample, rig.Options{}))
	if err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// module is the root of the checkout.
const module = "../../.."

// copySite copies the sources of the sample site and returns their folder.
func copySite(t *testing.T) string {
	t.Helper()
	root := openDir(t)
	if err := os.CopyFS(filepath.Join(root, "content"), os.DirFS(filepath.Join(module, "content"))); err != nil {
		t.Fatal(err)
	}
	return root
}

// buildSite builds a site and returns the folder of the build.
func buildSite(t *testing.T, root string) string {
	t.Helper()
	site := filepath.Join(openDir(t), "site")
	buildInto(t, root, site)
	return site
}

// buildInto builds a site into a folder.
func buildInto(t *testing.T, root, site string) {
	t.Helper()
	if err := rig.BuildSite(t.Context(), root, site, rig.Options{}); err != nil {
		t.Fatal(err)
	}
}

// config returns the output of `vitrine config`.
func config(t *testing.T, arguments ...string) string {
	t.Helper()
	c := exec.Command(programs.Vitrine, append([]string{"config"}, arguments...)...)
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("vitrine config %s: %v\n%s", strings.Join(arguments, " "), err, problems.String())
	}
	return string(out)
}

// write writes a file that programs of any user may read, and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(openDir(t), name)
	overwrite(t, path, text)
	return path
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// openDir returns a folder that programs of any user may read and write. The folders of the testing package aren't
// accessible to other users.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(filepath.Dir(sample), "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// edit adds a sentence to a page.
func edit(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "\nA sentence that was not there before.\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
}
