package paired

import (
	"bytes"
	"fmt"
	"os/exec"
	"time"
)

// Run runs a program to its end and tells what it took, its children that it
// waited for included. Before, it waits until what earlier runs wrote is on the
// disk, so that nobody pays for somebody else's files. An error has what the
// program wrote to its standard error.
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
