//go:build proof && !unix

package faults

import "os"

// peakMemory returns 0, because these systems don't report the memory of a process that has ended.
func peakMemory(*os.ProcessState) int64 { return 0 }

func ownPeak() int64 { return 0 }
