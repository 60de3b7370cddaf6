//go:build proof

package edge_test

import "testing"

// TestDecisionsAgree, with ten times as many requests.
func TestDecisionsAgreeAtLength(t *testing.T) { decisionsAgree(t, 200_000, 50_000) }
