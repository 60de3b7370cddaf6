package paired

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine returns one line that describes the machine, dir's file system, and the measured versions.
func Machine(ctx context.Context, dir string, versions ...string) string {
	var kilobytes float64
	_, _ = fmt.Sscan(field("/proc/meminfo", "MemTotal"), &kilobytes)
	load, _ := os.ReadFile("/proc/loadavg")
	all := append([]string{
		field("/proc/cpuinfo", "model name"), fmt.Sprintf("%d processors", runtime.NumCPU()), fmt.Sprintf("%.0f GB", kilobytes*1024/1e9),
		"Linux " + Said(ctx, "uname", "-r"), Said(ctx, "findmnt", "--noheadings", "--output", "FSTYPE", "--target", dir), runtime.Version(),
	}, versions...)
	all = append(all, "load average at the start "+strings.Join(strings.Fields(string(load))[:3], " "))
	return strings.Join(all, " · ")
}

// Said returns the first line of a program's output, such as its version, even if the program fails. It returns
// "unknown" if the program fails without output.
func Said(ctx context.Context, name string, arguments ...string) string {
	out, err := exec.CommandContext(ctx, name, arguments...).CombinedOutput()
	if err != nil && len(out) == 0 {
		return "unknown"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// field returns the value from the line "name : value" in file, or "unknown" if there is none.
func field(file, name string) string {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
