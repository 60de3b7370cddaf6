//go:build proof

package edge_test

import "testing"

// The property of TestDecisionsAgree holds for ten times as many requests.
func TestDecisionsAgreeAtLength(t *testing.T) { decisionsAgree(t, 200_000, 50_000) }
