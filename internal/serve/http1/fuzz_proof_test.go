//go:build proof

package http1_test

import "testing"

// TestEnginesAgreeAtLength checks the property of TestEnginesAgree with 3,000 other mutated streams.
func TestEnginesAgreeAtLength(t *testing.T) { mutations(t, newSite(t), 3000, 9) }
