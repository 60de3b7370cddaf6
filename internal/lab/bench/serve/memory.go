//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"

	"golang.org/x/sys/unix"
)

const (
	memoryPages = 10000
	memorySize  = 8 << 10
)

// memory measures the server's memory after requests for every representation of a site, and the memory of an idle
// connection.
func (s *settings) memory(ctx context.Context) error {
	site := filepath.Join(s.dir, "memory")
	if err := writeSite(ctx, site, memoryPages, memorySize); err != nil {
		return err
	}
	defer os.RemoveAll(site)
	size, err := folderSize(site)
	if err != nil {
		return err
	}
	server, err := s.launchVitrined(ctx, "fast", site, "0")
	if err != nil {
		return err
	}
	defer server.stop()
	first := paired.Resident(server.cmd.Process.Pid)
	for i := range memoryPages {
		for _, suffix := range []string{"", ".md"} {
			for _, coding := range []string{"identity", "gzip"} {
				if _, _, err := fetch(fmt.Sprintf("%s/page-%d%s", server.base, i, suffix), http.Header{"Accept-Encoding": {coding}}); err != nil {
					return err
				}
			}
		}
	}
	full := paired.Resident(server.cmd.Process.Pid)
	fmt.Printf("\nmemory with %d pages, after requests for all %d representations: %.1f MB resident (Pss; %.1f MB after the start) ÷ %.1f MB in the build's files: **%.2f**\n",
		memoryPages, 4*memoryPages, float64(full)/1e6, float64(first)/1e6, float64(size)/1e6, float64(full)/float64(size))
	return s.idle(server)
}

// idle opens up to 10,000 connections, sends one request on each, leaves them idle, and prints the server's memory per
// connection.
func (s *settings) idle(server *server) error {
	count := 10000
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err == nil {
		count = min(count, int(limit.Cur)-100)
	}
	before := paired.Resident(server.cmd.Process.Pid)
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	for range count {
		c, err := net.Dial("tcp", strings.TrimPrefix(server.base, "http://"))
		if err != nil {
			return err
		}
		conns = append(conns, c)
		if _, err := io.WriteString(c, "HEAD /page-0 HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			return err
		}
		if n, err := c.Read(make([]byte, 4096)); n == 0 {
			return errors.Join(err, errors.New("no response"))
		}
	}
	time.Sleep(time.Second)
	used := paired.Resident(server.cmd.Process.Pid) - before
	fmt.Printf("\n%d idle connections: %.1f MB, %d bytes each\n", count, float64(used)/1e6, used/int64(count))
	return nil
}
