//go:build proof

package fix_test

import (
	"testing"

	"vitrine/internal/lab/rig"
)

// So does patch; see TestDiff.
func TestDiffWithPatch(t *testing.T) {
	testDiff(t, rig.Tool(t, "patch"), "--binary", "-s", "-p1")
}
