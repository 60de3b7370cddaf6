//go:build proof

package render

import (
	"fmt"
	"testing"
)

// Hundreds of sections are too many for llms.txt even if each has its own file. Then all pages are in one list, in
// several parts.
func TestLLMsManySections(t *testing.T) {
	t.Parallel()
	files := sampleFacts()
	for i := range 700 {
		files[fmt.Sprintf("content/s%03d/index.md", i)] = fmt.Sprintf("---\ntitle: A section with a long title, number %d\n---\n", i)
		files[fmt.Sprintf("content/s%03d/p.md", i)] = "---\ntitle: Page\n---\n"
	}
	f := checkLLMs(t, build(t, files, withoutImages))
	if len(f.order) != 2 || len(f.sections["Pages"]) < 2 {
		t.Errorf("%d sections, %d links", len(f.order), len(f.sections["Pages"]))
	}
}
