//go:build proof && linux

package markdown

import "testing"

// TestNestedConstructsAreLinear repeats every token inside other constructs, and on larger pages than
// TestEveryConstructIsLinear.
func TestNestedConstructsAreLinear(t *testing.T) { everyConstructIsLinear(t, before, 16<<10) }
