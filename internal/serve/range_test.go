package serve_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
)

// ranges returns valid, unusual, and hostile values of Range (RFC 9110 §14.2).
func ranges() []string {
	return []string{
		"bytes=0-0", "bytes=0-", "bytes=-1", "bytes=0-1,2-3", "bytes=5-1", "bytes=99999999999999999999-", "bytes=-0", "bytes=,", "bytes=0-1,0-1,0-1,0-1,0-1,0-1",
		"items=0-1", "bytes 0-1", "BYTES=0-1", "bytes=a-b", "bytes=0-1;x", "", "=", "bytes=\x00", "bytes=0-18446744073709551616",
	}
}

// FuzzRange checks that the server ignores Range, which RFC 9110 §14.2 allows: for any Range and If-Range, the response
// is the same as without them. Sending parts of such small pages saves little, and requesting many ranges of one body
// is a known attack that makes a server send more bytes than the body contains.
func FuzzRange(f *testing.F) {
	for _, value := range ranges() {
		f.Add(value, "")
		f.Add(value, `"5f1b"`)
	}
	handler := serve.NewHandler(rig.SmallSite(f), serve.HandlerOptions{})
	f.Fuzz(func(t *testing.T, value, condition string) {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, path := range []string{"/preise%20f%C3%BCr%20alle", "/old", "/nothing"} {
				whole := answered(handler, method, path, nil)
				part := answered(handler, method, path, http.Header{"Range": {value}, "If-Range": {condition}})
				if part.Code != whole.Code || part.Body.String() != whole.Body.String() ||
					!maps.EqualFunc(part.Header(), whole.Header(), slices.Equal) {
					t.Fatalf("%s %s with Range: %q, If-Range: %q returned %d, %v, %d bytes; without %d, %v, %d bytes", method, path, value, condition,
						part.Code, part.Header(), part.Body.Len(), whole.Code, whole.Header(), whole.Body.Len())
				}
			}
		}
	})
}

func answered(handler http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}
