//go:build proof

package http2_test

import (
	"testing"

	"vitrine/internal/lab/rig"
)

// The same property as TestAnswersOfNetHTTP, for 400 other random requests.
func TestRandomAnswersOfNetHTTP(t *testing.T) { randomRequests(t, rig.SmallSite(t), 400, 5) }
