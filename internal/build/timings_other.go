//go:build !unix

package build

import "time"

// processorTime returns 0, because this system doesn't report it.
func processorTime() time.Duration { return 0 }
