//go:build proof

package edge_test

import "testing"

// The same property as TestDecisionsAgree, for ten times as many requests.
func TestDecisionsAgreeAtLength(t *testing.T) { decisionsAgree(t, 200_000, 50_000) }
