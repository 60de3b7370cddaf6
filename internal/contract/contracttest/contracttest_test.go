package contracttest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"vitrine/internal/contract"
)

// Each case of a file that the target satisfies is a passing subtest. Exchanges that the target doesn't support don't
// fail.
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
