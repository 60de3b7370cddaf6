//go:build proof && linux

package markdown

import "testing"

// The same property as TestEveryConstructIsLinear, inside other constructs.
func TestNestedConstructsAreLinear(t *testing.T) { everyConstructIsLinear(t, before[1:]) }
