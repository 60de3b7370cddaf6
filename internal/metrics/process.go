package metrics

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Process declares the metrics of the process under the names used by Prometheus client libraries. start is the start
// time of the process. The metrics of memory and file descriptors are available only on systems with /proc.
func (r *Registry) Process(start time.Time) {
	r.Gauge("process_start_time_seconds", "Process start time, in Unix seconds", func() float64 { return float64(start.UnixMilli()) / 1000 })
	r.Counter("process_cpu_seconds_total", "Process CPU time in user and system mode", cpuSeconds)
	optional := func(name, help string, read func() (float64, bool)) {
		r.Gauges(name, help, nil, func(sample func(float64, ...string)) {
			if value, ok := read(); ok {
				sample(value)
			}
		})
	}
	page := float64(os.Getpagesize())
	optional("process_resident_memory_bytes", "Resident memory of the process", func() (float64, bool) { return statm(1, page) })
	optional("process_virtual_memory_bytes", "Virtual memory of the process", func() (float64, bool) { return statm(0, page) })
	optional("process_open_fds", "Open file descriptors", openFiles)
	optional("process_max_fds", "Maximum number of open file descriptors", mostFiles)
}

// statm returns the field of /proc/self/statm at index, converted from pages of page bytes to bytes. It returns false
// if the field can't be read.
func statm(index int, page float64) (float64, bool) {
	text, err := os.ReadFile("/proc/self/statm")
	words := strings.Fields(string(text))
	if err != nil || len(words) <= index {
		return 0, false
	}
	n, err := strconv.ParseFloat(words[index], 64)
	return n * page, err == nil
}

func openFiles() (float64, bool) {
	folder, err := os.Open("/proc/self/fd")
	if err != nil {
		return 0, false
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	return float64(len(names) - 1), err == nil // excludes the descriptor of the folder itself
}

// mostFiles returns the soft limit on open files in /proc/self/limits. It returns false if the limit can't be read.
func mostFiles() (float64, bool) {
	text, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Max open files"); ok {
			words := strings.Fields(rest)
			if len(words) == 0 {
				return 0, false
			}
			n, err := strconv.ParseFloat(words[0], 64)
			return n, err == nil
		}
	}
	return 0, false
}
