package faults

import "testing"

// Builds killed at random moments leave a build that opens whole, the old one
// or the new one, and the next build is that of a folder nothing happened in.
// The long form is go run ./internal/lab/faults/run.
func TestKill(t *testing.T) {
	kills := 40
	if testing.Short() {
		kills = 6
	}
	report, err := Kill(t.Context(), KillOptions{Program: Program(program), Dir: t.TempDir(), Kills: kills, Seed: 2, Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(report)
	if report.Old+report.New != kills || report.Reads < kills {
		t.Errorf("too little was looked at: %+v", report)
	}
}
