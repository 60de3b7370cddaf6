package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine names the machine and the versions, in one line.
func (s *suite) machine(ctx context.Context) string {
	all := []string{cpuModel(), fmt.Sprintf("%d processors", runtime.NumCPU()), memory(), "Linux " + said(ctx, "uname", "-r"),
		fileSystem(ctx, s.dir), runtime.Version(), said(ctx, s.vitrineProgram, "version")}
	if s.hugoProgram != "" {
		version, _, _ := strings.Cut(strings.TrimPrefix(said(ctx, s.hugoProgram, "version"), "hugo "), " ")
		all = append(all, "Hugo "+version)
	}
	if s.eleventyProgram != "" {
		all = append(all, "Eleventy "+said(ctx, s.nodeProgram, s.eleventyProgram, "--version"), "Node.js "+said(ctx, s.nodeProgram, "--version"))
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		all = append(all, "load average at the start "+strings.Join(strings.Fields(string(load))[:3], " "))
	}
	return strings.Join(all, " · ")
}

// said is the first line of what a program says.
func said(ctx context.Context, name string, arguments ...string) string {
	out, err := exec.CommandContext(ctx, name, arguments...).Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

func cpuModel() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	if model := field(string(data), "model name"); model != "" {
		return model
	}
	return runtime.GOARCH
}

// memory is how much the machine has.
func memory() string {
	data, _ := os.ReadFile("/proc/meminfo")
	var kilobytes float64
	if _, err := fmt.Sscanf(field(string(data), "MemTotal"), "%f", &kilobytes); err != nil {
		return "memory unknown"
	}
	return fmt.Sprintf("%.0f GB", kilobytes*1024/1e9)
}

// field finds a line such as "name : value".
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// fileSystem is the kind of file system that a folder is on.
func fileSystem(ctx context.Context, dir string) string {
	return said(ctx, "findmnt", "--noheadings", "--output", "FSTYPE", "--target", dir)
}
