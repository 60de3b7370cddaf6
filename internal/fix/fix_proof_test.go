//go:build proof

package fix_test

import (
	"testing"

	"vitrine/internal/lab/rig"
)

// patch applies each diff correctly, for any file and any edits.
func TestDiffWithPatch(t *testing.T) {
	testDiff(t, rig.Tool(t, "patch"), "--binary", "-s", "-p1")
}
