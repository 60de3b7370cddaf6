//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// manyPages and fewPages are the page counts of the two sites whose start times are compared.
const (
	manyPages = 50000
	fewPages  = 10
)

// start measures how long vitrined and nginx take to start and send a first response. few is a site with few pages.
func (s *settings) start(ctx context.Context, few string) error {
	many := filepath.Join(s.dir, "many")
	if err := writeSite(ctx, many, manyPages, 300); err != nil {
		return err
	}
	defer os.RemoveAll(many)
	var a, b, n []float64
	for range s.rounds {
		x, err := s.firstAnswer(ctx, few)
		if err != nil {
			return err
		}
		y, err := s.firstAnswer(ctx, many)
		if err != nil {
			return err
		}
		z, err := s.firstAnswerOfNginx(ctx, filepath.Join(few, "public"))
		if err != nil {
			return err
		}
		a, b, n = append(a, x), append(b, y), append(n, z)
	}
	fmt.Printf("\nTime from start to first response: %.1f ms with %d pages, %.1f ms with %d pages, and %.1f ms with nginx. Ratio of %d pages to %d pages: %s; of %d pages to nginx: %s.\n",
		paired.Median(a), fewPages, paired.Median(b), manyPages, paired.Median(n), manyPages, fewPages, paired.Compare(b, a), fewPages, paired.Compare(a, n))
	return nil
}

// firstAnswer starts vitrined and returns the milliseconds until its first response.
func (s *settings) firstAnswer(ctx context.Context, site string) (float64, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return 0, err
	}
	return timeToAnswer(pinned(ctx, s.serverCores, s.vitrined, "-dir", site, "-addr", address), address, "/page-0")
}

func (s *settings) firstAnswerOfNginx(ctx context.Context, public string) (float64, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return 0, err
	}
	arguments, err := s.configureNginx(address, public, "on", "")
	if err != nil {
		return 0, err
	}
	return timeToAnswer(pinned(ctx, s.serverCores, "nginx", arguments...), address, "/page-0.html")
}

func timeToAnswer(cmd *exec.Cmd, address, path string) (float64, error) {
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	for time.Since(begun) < timeout {
		c, err := net.Dial("tcp", address)
		if err != nil {
			time.Sleep(50 * time.Microsecond)
			continue
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
		answer, err := io.ReadAll(c)
		took := time.Since(begun)
		if err != nil {
			return 0, fmt.Errorf("reading the first response: %w", err)
		}
		if !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
			return 0, fmt.Errorf("the first response starts with %.40q, want the status 200", answer)
		}
		return float64(took) / float64(time.Millisecond), nil
	}
	return 0, fmt.Errorf("%s did not respond within %s", cmd, timeout)
}
