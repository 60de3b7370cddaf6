package paired

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// FreeAddress returns the loopback address and an unused TCP port, such as 127.0.0.1:40000.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// Resident returns the resident memory of a process in bytes, or 0 if there is no such process. The value is the Pss in
// smaps_rollup: all resident memory, including the program's code, with each page divided by the number of processes
// that share it.
func Resident(pid int) int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(line, "Pss:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return n << 10
		}
	}
	return 0
}
