package paired

import (
	"bytes"
	"fmt"
	"os/exec"
	"time"
)

// Run runs a program until it ends and returns its cost, which includes the child processes it waited for. Run first
// waits until files from earlier runs are on the disk, so that writing them doesn't affect this run. Errors contain the
// program's standard error unless cmd.Stderr is set.
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
