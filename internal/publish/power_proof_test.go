//go:build proof

package publish

import "testing"

// What TestPowerLoss tests is also true on a disk that syncs the whole file system, and on a system that exchanges
// folders in steps.
func TestPowerLossOfOtherDisks(t *testing.T) {
	for name, disk := range map[string]*recordedDisk{"all at once": {}, "in steps": {byName: true, inSteps: true}} {
		t.Run(name, func(t *testing.T) { survivesPowerLoss(t, disk) })
	}
}

// If nothing is synced, some states are wrong. This shows that TestPowerLoss finds missing syncs.
func TestPowerLossWithoutSyncing(t *testing.T) {
	t.Parallel()
	states, wrong := powerLoss(t, &recordedDisk{}, Options{NoSync: true})
	t.Logf("%d states, %d wrong", states, len(wrong))
	if len(wrong) == 0 {
		t.Error("no state is wrong: the test would not find a missing sync")
	}
}
