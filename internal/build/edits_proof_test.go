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

// Like TestWarmEqualsCold, with more and different edits. "make soak-build" runs it with 500 edits.
func TestWarmEqualsColdAtLength(t *testing.T) { warmEqualsCold(t, *warmEdits, *warmSeed) }

// Like TestWarmCheckEqualsCold, with longer and different chains of edits.
func TestWarmCheckEqualsColdAtLength(t *testing.T) { warmCheckEqualsCold(t, 2, 20, 910) }

// Like TestLiveEqualsCheck, with longer and different chains of edits.
func TestLiveEqualsCheckAtLength(t *testing.T) { liveEqualsCheck(t, 2, 20, 710) }

// Sparse builds equal full builds after many more edits.
func TestSparseEqualsFullAtLength(t *testing.T) { sparseEqualsFull(t, 50, 11) }

// Sparse builds, each based on the previous sparse build, equal full builds after many more edits.
func TestSparseChainAtLength(t *testing.T) { sparseChain(t, 50, 13) }

// Sparse builds of fresh clones equal full builds after many more edits.
func TestSparseOfClonesAtLength(t *testing.T) { sparseOfClones(t, 50, 19) }

// Merged parts equal builds in one run after many more edits.
func TestPartsEqualFullBuildAtLength(t *testing.T) { partsEqualWhole(t, 50, 17) }
