//go:build proof && !unix

package faults

import "os"

// peakMemory returns 0, because these systems don't report it after a process has ended.
func peakMemory(*os.ProcessState) int64 { return 0 }

func ownPeak() int64 { return 0 }
