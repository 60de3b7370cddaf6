package serve

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// The available memory is the smallest of all limits.
func TestAvailableMemory(t *testing.T) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Skip("GOMEMLIMIT is set where this runs")
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing known": {want: math.MaxInt64},
		"machine":       {files: map[string]string{"proc/meminfo": "MemTotal:        1024 kB\nMemFree: 3 kB\n"}, want: 1 << 20},
		"version 2": {files: map[string]string{
			"proc/meminfo":     "MemTotal: 1024 kB\n",
			"proc/self/cgroup": "0::/a.slice/b.service\n", "sys/fs/cgroup/a.slice/b.service/memory.max": "max\n",
			"sys/fs/cgroup/a.slice/memory.max": "5000\n",
		}, want: 5000},
		"container": {files: map[string]string{
			"proc/self/cgroup": "0::/../elsewhere\n", "sys/fs/cgroup/memory.max": "7000\n",
		}, want: 7000},
		"version 1": {files: map[string]string{
			"proc/self/cgroup": "3:cpu:/x\n4:memory:/docker/1\n",
			"sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes": "9000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
			"sys/fs/cgroup/cpu/docker/1/memory.limit_in_bytes":    "1\n",
		}, want: 9000},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range c.files {
				file = filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got := availableMemory(root); got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
	debug.SetMemoryLimit(3000)
	defer debug.SetMemoryLimit(math.MaxInt64)
	if got := availableMemory(t.TempDir()); got != 3000 {
		t.Errorf("GOMEMLIMIT of 3000: %d bytes", got)
	}
}
