package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// measure does every part that was asked for.
func (s *settings) measure(ctx context.Context) error {
	fmt.Println(s.versions(ctx))
	fmt.Println()
	site := filepath.Join(s.dir, "site")
	if err := writeSite(ctx, site, 10, htmlSize); err != nil {
		return err
	}
	if strings.Contains(s.parts, "throughput") || strings.Contains(s.parts, "latency") {
		if err := s.measureLoad(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "start") {
		if err := s.start(ctx, site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "memory") {
		return s.memory(ctx)
	}
	return nil
}

func (s *settings) measureLoad(ctx context.Context, site string) error {
	if err := s.copyForPeers(ctx, site); err != nil {
		return err
	}
	servers, err := s.launchAll(ctx, site)
	if err != nil {
		return err
	}
	defer func() {
		for _, server := range servers {
			server.stop()
		}
	}()
	if strings.Contains(s.parts, "throughput") {
		if err := s.throughput(ctx, servers); err != nil {
			return err
		}
		if err := s.refused(ctx, servers[0], site); err != nil {
			return err
		}
	}
	if strings.Contains(s.parts, "latency") {
		return s.latency(ctx, servers)
	}
	return nil
}

// copyForPeers writes the files that are asked for, and our own gzip bytes of
// them beside, where servers of files look for both.
func (s *settings) copyForPeers(ctx context.Context, site string) error {
	server, err := s.launchVitrined(ctx, "fast", site, "0")
	if err != nil {
		return err
	}
	defer server.stop()
	for _, e := range exchanges() {
		for suffix, coding := range map[string]string{"": "identity", ".gz": "gzip"} {
			body, err := fetchBody(server.base+e.path, coding)
			if err != nil {
				return err
			}
			name := filepath.Join(s.peerDir(), filepath.FromSlash(e.file+suffix))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(name, body, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// peerDir is the folder that servers of files serve.
func (s *settings) peerDir() string { return filepath.Join(s.dir, "peers") }
