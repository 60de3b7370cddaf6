package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// If the program can't identify itself because its executable file is gone, each build makes all pages.
func TestUnknownProgram(t *testing.T) {
	const unknown = "VITRINE_TEST_UNKNOWN_PROGRAM"
	if os.Getenv(unknown) == "" {
		runCopy(t, unknown+"=1")
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	if _, known := programKey(); known {
		t.Fatal("the program is known")
	}
	e := newEditor(t, 1)
	e.build(e.warm)
	e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
	e.compare("a text")
}

// runCopy runs this test in a copy of the test program, with an environment variable.
func runCopy(t *testing.T, variable string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.exe")
	if err := os.WriteFile(copied, data, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), copied, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
