//go:build proof

package publish

import "testing"

// The property of TestPowerLoss also holds on disks that sync the whole file system, and on systems that exchange folders
// in steps.
func TestPowerLossOfOtherDisks(t *testing.T) {
	for name, disk := range map[string]*recordedDisk{"all at once": {}, "in steps": {byName: true, inSteps: true}} {
		t.Run(name, func(t *testing.T) { survivesPowerLoss(t, disk) })
	}
}

// Without syncing, some states are wrong, so TestPowerLoss can find missing syncs.
func TestPowerLossWithoutSyncing(t *testing.T) {
	t.Parallel()
	states, wrong := powerLoss(t, &recordedDisk{}, Options{NoSync: true})
	t.Logf("%d states, %d wrong", states, len(wrong))
	if len(wrong) == 0 {
		t.Error("no state is wrong: the test would not find a missing sync")
	}
}
