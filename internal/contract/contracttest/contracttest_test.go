package contracttest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"vitrine/internal/contract"
)

// A target that satisfies a file passes as subtests, and unsupported exchanges don't fail.
func TestFilesRunAsSubtests(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	f, err := contract.Parse("missing.txt", []byte(`== nothing is there
proves X

GET /
answers 404

needs gzip
GET /
answers 200
`))
	if err != nil {
		t.Fatal(err)
	}
	TestFiles(t, contract.Target{URL: server.URL, Base: "https://parley.example"}, []*contract.File{f})
}
