//go:build proof && linux

package deploy_test

import (
	"net/http"
	"testing"

	"vitrine/internal/lab/storage"
)

// On a real object storage server, a bucket and a sparse build together form a complete build, which replicas pull.
func TestSparseToGateway(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	c, _ := newGateway(t)
	deploysSparse(t, c)
}

// On a real object storage server, each sparse build in an empty folder is derived from the build in the bucket.
func TestSparseFromGateway(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	c, _ := newGateway(t)
	continuesBucket(t, c)
}

// If a failure persists after the client's retries, the build fails.
func TestSparseReportsFailingBucket(t *testing.T) {
	for kind, broke := range map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"SlowDown": func(w http.ResponseWriter, _ *http.Request) {
			storage.Problem(w, http.StatusServiceUnavailable, "SlowDown")
		},
		"cut": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"truncated": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(make([]byte, 1000))
		},
	} {
		t.Run(kind, func(t *testing.T) { newEditedSite(t).breaksDuringBuild(t, broke, "reading s3://", 3) })
	}
}
