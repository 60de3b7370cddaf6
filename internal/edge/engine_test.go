package edge_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"vitrine/internal/edge"
)

// The engine asks the platform for files as it must, sends none that is not of
// the build, and sets every field itself; see testdata/engine.test.mjs.
func TestEngine(t *testing.T) {
	built := hostileSite(t)
	manifest, err := edge.NewManifest(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	data, err := manifest.JSON()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "manifest.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node(t), "--test", "--test-reporter=tap", "testdata/engine.test.mjs")
	cmd.Env = append(os.Environ(), "MANIFEST="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
