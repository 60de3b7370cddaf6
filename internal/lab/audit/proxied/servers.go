package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// servers manages vitrined processes.
type servers struct {
	command, dir string
	running      []*exec.Cmd
}

// start starts a server at address and returns its URL once it accepts requests.
func (s *servers) start(ctx context.Context, address string) (string, error) {
	cmd := exec.CommandContext(ctx, s.command, "-dir", s.dir, "-addr", address)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", fmt.Errorf("starting vitrined: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("starting vitrined: %w", err)
	}
	s.running = append(s.running, cmd)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		var entry struct{ Msg, Address, Error string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return "", fmt.Errorf("reading the log of vitrined: %w", err)
		}
		if entry.Msg == "serving" {
			go func() {
				for lines.Scan() {
					// Drain the server's later output, so that the server doesn't block.
				}
			}()
			return "http://" + entry.Address, nil
		}
		if entry.Error != "" {
			return "", fmt.Errorf("vitrined: %s", entry.Error)
		}
	}
	return "", errors.New("vitrined exited before it served requests")
}

// stop interrupts all servers and waits until they exit, so that their addresses are free again.
func (s *servers) stop() {
	for _, cmd := range s.running {
		// Ignore errors from servers that exited on their own or because of the signal.
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	s.running = nil
}
