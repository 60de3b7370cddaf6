//go:build proof

package http2_test

import (
	"testing"

	"vitrine/internal/lab/rig"
)

// TestRandomResponsesMatchNetHTTP checks the property of TestResponsesMatchNetHTTP with 400 other random requests.
func TestRandomResponsesMatchNetHTTP(t *testing.T) { randomRequests(t, rig.SmallSite(t), 400, 5) }
