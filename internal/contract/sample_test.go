package contract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/cespare/xxhash/v2"
)

// play parses exchanges, plays them against a handler, and returns the report.
func play(t *testing.T, h http.Handler, source string, change func(*Target)) *Report {
	t.Helper()
	f, err := Parse("test.txt", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	target := Target{
		URL: server.URL, Base: "https://parley.example", Can: []Capability{Raw},
		Values: map[string]string{"PAGE": "/pricing", "ARTICLE": "/blog/first", "STYLESHEET": "/assets/style.0a.css"},
	}
	if change != nil {
		change(&target)
	}
	report, err := PlayFiles(t.Context(), target, []*File{f})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// sample returns a handler that responds as the exchanges of these tests expect.
func sample() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /apache", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Vary", "Accept,Accept-Encoding") })
	mux.HandleFunc("GET /json", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("ETag", `"1"`)
		h.Set("X-Left", "7")
		h.Add("Vary", "Accept")
		h.Add("Vary", "accept-encoding")
		h.Set("Allow", "GET, HEAD")
		h.Set("Link", `</openapi.json>; rel="service-desc"; title="a, b", <https://parley.example/docs/api>; rel="service-doc help"`)
		fmt.Fprint(w, `{"name":"Parley","price":49.50,"count":3,"open":true,"none":null,`+
			`"contact":"a@b.example","url":"https://parley.example/","list":[{"n":"x"},{"n":"y"}],"map":{"a/b":"c"},`+
			`"see":{"$ref":"#/list/1"}}`)
	})
	mux.HandleFunc("GET /coded", func(w http.ResponseWriter, r *http.Request) {
		body, coding := code(r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Type", "text/plain")
		suffix := ""
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
			suffix = "-" + coding
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%016x%s"`, xxhash.Sum64(body), suffix))
		w.Write(body)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header()["Content-Type"] = nil
		fmt.Fprintf(w, "%s %s host=%s accept=%q body=%s", r.Method, r.RequestURI, r.Host, r.Header["Accept"], body)
	})
	mux.HandleFunc("GET /price", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "from €1,299.50 a year") })
	mux.HandleFunc("GET /list", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "see https://parley.example/one\nsee https://parley.example/two#part\nsee https://parley.example\n")
	})
	mux.HandleFunc("GET /one", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /two", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("GET /expires", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "Expires: ", time.Now().AddDate(0, 1, 0).UTC().Format(time.RFC3339), "\n")
	})
	mux.Handle("GET /moved", http.RedirectHandler("/one", http.StatusPermanentRedirect))
	return mux
}

// code compresses a sample text with a content coding, and returns the result and the name of the coding. For an
// unknown coding, it returns the plain text and "".
func code(coding string) ([]byte, string) {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	default:
		return []byte("a text, long enough"), ""
	}
	io.WriteString(w, "a text, long enough")
	w.Close()
	return b.Bytes(), coding
}
