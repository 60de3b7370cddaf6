//go:build proof && linux

package deploy_test

import "testing"

// The same as TestSparseToBucket, on a real object storage server.
func TestSparseToGateway(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	c, _ := newGateway(t)
	deploysSparse(t, c)
}

// The same as TestSparseFromBucket, on a real object storage server.
func TestSparseFromGateway(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	c, _ := newGateway(t)
	continuesBucket(t, c)
}
