//go:build !unix

package build

import "time"

// processorTime returns 0, because this system doesn't report the processor time.
func processorTime() time.Duration { return 0 }
