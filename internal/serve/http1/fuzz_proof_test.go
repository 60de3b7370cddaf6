//go:build proof

package http1_test

import "testing"

// The same property as TestEnginesAgree, for 3,000 other changed streams.
func TestEnginesAgreeAtLength(t *testing.T) { mutations(t, newSite(t), 3000, 9) }
