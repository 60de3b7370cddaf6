//go:build proof

package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// The workflows for GitHub Actions in the guides are valid.
func TestWorkflowsInGuides(t *testing.T) {
	tool := rig.Tool(t, "actionlint", ".tools/bin/actionlint-1.7.12")
	found := 0
	for _, name := range markdownFiles(t, "docs/guides") {
		text, err := os.ReadFile(filepath.Join(rig.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(block[1], "\njobs:\n") {
				continue
			}
			found++
			cmd := exec.CommandContext(t.Context(), tool, "-")
			cmd.Stdin = strings.NewReader(block[1])
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
	if found == 0 {
		t.Error("no guide has a workflow")
	}
}
