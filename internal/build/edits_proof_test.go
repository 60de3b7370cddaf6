//go:build proof

package build

import (
	"flag"
	"testing"
)

var (
	warmEdits = flag.Int("edits", 20, "how many `edits` to make in each of two sites, one of them in several languages")
	warmSeed  = flag.Uint64("seed", 8, "the `seed` of the edits")
)

// This is TestWarmEqualsCold with more edits from another seed. "make soak-build" runs it with 500 edits.
func TestWarmEqualsColdAtLength(t *testing.T) { warmEqualsCold(t, *warmEdits, *warmSeed) }

// This is TestWarmCheckEqualsCold with more edits from other seeds.
func TestWarmCheckEqualsColdAtLength(t *testing.T) { warmCheckEqualsCold(t, 2, 20, 910) }

// This is TestLiveEqualsCheck with more edits from other seeds.
func TestLiveEqualsCheckAtLength(t *testing.T) { liveEqualsCheck(t, 2, 20, 710) }

// After each of many more edits, a sparse build equals a full build.
func TestSparseEqualsFullAtLength(t *testing.T) { sparseEqualsFull(t, 50, 11) }

// After each of many more edits, a sparse build that is based on the previous sparse build equals a full build.
func TestSparseChainAtLength(t *testing.T) { sparseChain(t, 50, 13) }

// After each of many more edits, a sparse build of a fresh clone equals a full build.
func TestSparseOfClonesAtLength(t *testing.T) { sparseOfClones(t, 50, 19) }

// After each of many more edits, a build that is merged from parts equals a build in one run.
func TestPartsEqualFullBuildAtLength(t *testing.T) { partsEqualWhole(t, 50, 17) }
