//go:build proof

package edge_test

import "testing"

// The decisions also agree for ten times as many requests as in TestDecisionsAgree.
func TestDecisionsAgreeAtLength(t *testing.T) { decisionsAgree(t, 200_000, 50_000) }
