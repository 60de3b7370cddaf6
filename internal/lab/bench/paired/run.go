package paired

import (
	"bytes"
	"fmt"
	"os/exec"
	"time"
)

// Run runs a program to its end and returns its cost, including children that it waited for. Before that, it waits until the
// files of earlier runs are written to the disk, so that their writes don't affect this run. An error contains the program's
// standard error.
func Run(cmd *exec.Cmd) (Sample, error) {
	var said bytes.Buffer
	if cmd.Stderr == nil {
		cmd.Stderr = &said
	}
	settle()
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return Sample{}, fmt.Errorf("running %s: %w\n%s", cmd.Path, err, bytes.TrimSpace(said.Bytes()))
	}
	state := cmd.ProcessState
	return Sample{Wall: took, CPU: state.UserTime() + state.SystemTime(), Peak: peak(state)}, nil
}
