//go:build proof

package publish

import "testing"

// The same property as TestPowerLoss, on disks that lose files in another order.
func TestPowerLossOfOtherDisks(t *testing.T) {
	for name, disk := range map[string]*recordedDisk{"all at once": {}, "in steps": {byName: true, inSteps: true}} {
		t.Run(name, func(t *testing.T) { survivesPowerLoss(t, disk) })
	}
}

// Without syncing some states are wrong: TestPowerLoss finds missing syncs.
func TestPowerLossWithoutSyncing(t *testing.T) {
	t.Parallel()
	states, wrong := powerLoss(t, &recordedDisk{}, Options{NoSync: true})
	t.Logf("%d states, %d wrong", states, len(wrong))
	if len(wrong) == 0 {
		t.Error("no state is wrong: the test would not find a missing sync")
	}
}
