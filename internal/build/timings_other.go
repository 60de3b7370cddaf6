//go:build !unix

package build

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
