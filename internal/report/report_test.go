package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"vitrine/internal/readers"
	"vitrine/internal/report"
)

const (
	browser = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"
	gptBot  = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)"
	claude  = "Claude-User (claude-code/2.1; +https://support.anthropic.com/)"
)

// logs contains the same two requests in the format of each server: vitrined's two formats, the Combined Log Format of
// nginx and Apache, Caddy's JSON, and nginx's JSON with the names of its variables.
var logs = map[string]string{
	"vitrined combined": `203.0.113.9 - - [20/Nov/2026:10:00:00 +0000] "GET /pricing?x=1 HTTP/1.1" 200 512 "-" "` + gptBot + `" ok page html ai-training
203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET /api/v1/marketing HTTP/1.1" 304 - "-" "` + browser + `" not-modified operation json people
`,
	"vitrined json": `{"time":"2026-11-20T10:00:00Z","level":"INFO","msg":"request","remote":"203.0.113.9","method":"GET","target":"/pricing?x=1","protocol":"HTTP/1.1","status":200,"bytes":512,"reason":"ok","class":"page","representation":"html","referer":"","userAgent":"` + gptBot + `"}
{"time":"2026-11-21T10:00:00Z","level":"INFO","msg":"request","remote":"203.0.113.9","method":"GET","target":"/api/v1/marketing","protocol":"HTTP/1.1","status":304,"bytes":0,"reason":"not-modified","class":"operation","representation":"json","referer":"","userAgent":"` + browser + `"}
`,
	"nginx combined": `203.0.113.9 - - [20/Nov/2026:10:00:00 +0000] "GET /pricing?x=1 HTTP/1.1" 200 512 "-" "` + gptBot + `"
203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET /api/v1/marketing HTTP/1.1" 304 0 "-" "` + browser + `"
`,
	"caddy": `{"level":"info","ts":1795168800.1,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.9","client_ip":"203.0.113.9","proto":"HTTP/1.1","method":"GET","host":"x","uri":"/pricing?x=1","headers":{"User-Agent":["` + gptBot + `"]}},"bytes_read":0,"duration":0.1,"size":512,"status":200,"resp_headers":{"Content-Type":["text/html; charset=utf-8"]}}
{"level":"info","ts":1795255200.1,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.9","client_ip":"203.0.113.9","proto":"HTTP/1.1","method":"GET","host":"x","uri":"/api/v1/marketing","headers":{"User-Agent":["` + browser + `"]}},"size":0,"status":304,"resp_headers":{}}
`,
	"nginx json": `{"time_iso8601":"2026-11-20T10:00:00+00:00","remote_addr":"203.0.113.9","request":"GET /pricing?x=1 HTTP/1.1","status":"200","body_bytes_sent":"512","http_user_agent":"` + gptBot + `","sent_http_content_type":"text/html"}
{"msec":"1795255200.123","remote_addr":"203.0.113.9","request_method":"GET","request_uri":"/api/v1/marketing","status":304,"body_bytes_sent":0,"http_user_agent":"` + browser + `"}
`,
}

func read(t *testing.T, text string, o report.Options) *report.Report {
	t.Helper()
	r, err := report.Read(t.Context(), []report.Log{{Name: "log", Reader: strings.NewReader(text)}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every log format produces the same report for the same requests. If a log doesn't contain a page's representation,
// the report counts the page as undecided.
func TestLogFormats(t *testing.T) {
	for name, text := range logs {
		r := read(t, text, report.Options{})
		if r.Lines != 2 || r.Unread != 0 || r.From != "2026-11-20" || r.To != "2026-11-21" || len(r.Days) != 2 {
			t.Errorf("%s: %d lines, %d unread, %s to %s", name, r.Lines, r.Unread, r.From, r.To)
			continue
		}
		if r.Days[0].Requests[readers.Training] != 1 || r.Days[1].Requests[readers.People] != 1 {
			t.Errorf("%s: days %v", name, r.Days)
		}
		people, training := r.Families[0], r.Families[1]
		if people.NotModified != 1 || people.Representations[readers.JSON] != 1 || people.Paths[0].Name != "/api/v1/marketing" {
			t.Errorf("%s: people %+v", name, people)
		}
		if training.Bytes != 512 || training.Paths[0] != (report.Count{Name: "/pricing", Count: 1}) {
			t.Errorf("%s: training %+v", name, training)
		}
		wantHTML, wantUnsure := 1, int64(0)
		if name == "nginx combined" {
			wantHTML, wantUnsure = 0, 1
		}
		if len(r.MarkdownReady) != wantHTML || r.Undecided != wantUnsure {
			t.Errorf("%s: HTML to models %v, undecided %d", name, r.MarkdownReady, r.Undecided)
		}
	}
}

// A line that isn't a request is counted as unread. The parser accepts lines of any content and length.
func TestUnread(t *testing.T) {
	good := logs["nginx combined"]
	r := read(t, "no\n{\n{}\n\n"+strings.Repeat("x", 1<<20)+"\n"+`h - - [20/Foo/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1`+"\n"+good+strings.TrimSuffix(good, "\n"), report.Options{})
	if r.Lines != 4 || r.Unread != 5 {
		t.Errorf("%d lines, %d unread, want 4 and 5", r.Lines, r.Unread)
	}
	for length := 600 << 10; length <= 1<<20; length += 85 << 10 {
		// The end of an overlong line isn't a request, wherever a chunk ends.
		r := read(t, strings.Repeat("x", length)+"\""+good+good, report.Options{})
		if r.Lines != 3 || r.Unread != 1 {
			t.Errorf("after a line of %d bytes: %d lines, %d unread, want 3 and 1", length, r.Lines, r.Unread)
		}
	}
}

// A gzipped log produces the same report as the plain log. A truncated gzipped log is an error, because the report
// would otherwise silently lack days.
func TestGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = io.WriteString(w, strings.Repeat(logs["caddy"], 50))
	_ = w.Close()
	if r := read(t, z.String(), report.Options{}); r.Lines != 100 {
		t.Errorf("%d lines, want 100", r.Lines)
	}
	cut := strings.NewReader(z.String()[:z.Len()-12])
	if _, err := report.Read(t.Context(), []report.Log{{Name: "old.gz", Reader: cut}}, report.Options{}); err == nil || !strings.Contains(err.Error(), "reading old.gz: unexpected EOF") {
		t.Errorf("truncated gzip: %v", err)
	}
}

// Every line is counted once, wherever chunks end and for any number of workers.
func TestManyLines(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, `192.0.2.1 - - [%02d/Nov/2026:10:00:00 +0000] "GET /p%d HTTP/1.1" 404 0 "-" "%s"`+"\n", 1+i%20, i%7, browser)
	}
	r := read(t, b.String(), report.Options{Since: "2026-11-03", Until: "2026-11-18"})
	if r.Lines != 32_000 || r.Outside != 8_000 || r.Unread != 0 || len(r.Days) != 16 {
		t.Errorf("%d lines, %d outside, %d unread, %d days", r.Lines, r.Outside, r.Unread, len(r.Days))
	}
	var missing int64
	for _, m := range r.Missing {
		missing += m.Requests
	}
	if missing != 32_000 {
		t.Errorf("%d requests not found, want all", missing)
	}
}

// A request with a program's published name, but from an address that isn't published, is counted as unverified and as
// a request of another program. If the addresses are unknown, the report doesn't count unverified requests.
func TestRanges(t *testing.T) {
	ranges := make(report.Ranges)
	if err := ranges.Add("gptbot", []byte(`{"creationTime":"2026-11-01","prefixes":[{"ipv4Prefix":"198.51.100.0/24"},{"ipv6Prefix":"2001:db8::/32"}]}`)); err != nil {
		t.Fatal(err)
	}
	good := strings.Replace(logs["nginx combined"], "203.0.113.9", "198.51.100.7", 1)
	r := read(t, logs["nginx combined"]+good, report.Options{Ranges: ranges})
	if a := r.Agents[0]; a.Name != "GPTBot" || a.Requests != 2 || a.Unverified != 1 {
		t.Errorf("got %+v", a)
	}
	if n := r.Days[0].Requests[readers.Other]; n != 1 {
		t.Errorf("%d requests of other programs, want 1", n)
	}
	if r := read(t, good, report.Options{}); r.Agents[0].Unverified != -1 {
		t.Errorf("without addresses: %+v", r.Agents[0])
	}
	for text, want := range map[string]string{"": "the list is empty", "example.com": "neither an address nor a prefix", "{": "reading the addresses for X"} {
		if err := ranges.Add("X", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The report suggests a page for a missing path. It omits the paths of scans for vulnerabilities in other software,
// because redirects from such paths would be useless.
func TestMissing(t *testing.T) {
	text := ""
	for _, path := range []string{"/old/pricing", "/pricng", "/blog/a-post.html", "/wp-login.php", "/.env"} {
		text += `192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET ` + path + ` HTTP/1.1" 404 0 "-" "` + browser + "\"\n"
	}
	r := read(t, text, report.Options{Pages: []string{"/", "/pricing", "/blog/a-post", "/about"}})
	got := make(map[string]string)
	for _, m := range r.Missing {
		got[m.Path] = m.Redirect
	}
	want := map[string]string{"/old/pricing": "/pricing", "/pricng": "/pricing", "/blog/a-post.html": "/blog/a-post"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Memory is bounded for any number of requested paths, and the report still contains the most frequently requested
// paths.
func TestManyPaths(t *testing.T) {
	var b strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&b, `192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET /x%d HTTP/1.1" 404 0 "-" "a"`+"\n", i)
		if i%10 == 0 {
			b.WriteString(`192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] "GET /often HTTP/1.1" 404 0 "-" "a"` + "\n")
		}
	}
	r := read(t, b.String(), report.Options{})
	if m := r.Missing[0]; m.Path != "/often" || m.Requests < 11_000 {
		t.Errorf("the most frequent is %+v, want /often about 12,000 times", m)
	}
}

// Text from requests can't become markup in HTML or Markdown. The output doesn't identify readers. The page is
// well-formed and loads no other resources.
func TestWrittenSafely(t *testing.T) {
	text := `203.0.113.77 - - [20/Nov/2026:10:00:00 +0000] "GET /<script>alert(1)</script>|` + "`" + `x HTTP/1.1" 404 0 "https://secret.example/?q=1" "` + browser + "\"\n" +
		`203.0.113.77 - - [20/Nov/2026:10:00:00 +0000] "GET /search?q=private HTTP/1.1" 200 10 "-" "` + claude + "\" ok page html ai-user\n"
	r := read(t, text, report.Options{})
	var page, markdown, data bytes.Buffer
	for w, write := range map[*bytes.Buffer]func(io.Writer) error{&page: r.WriteHTML, &markdown: r.WriteMarkdown, &data: r.WriteJSON} {
		if err := write(w); err != nil {
			t.Fatal(err)
		}
		for _, private := range []string{"203.0.113.77", "secret", "private", "Firefox"} {
			if strings.Contains(w.String(), private) {
				t.Errorf("%q is in the report:\n%s", private, w)
			}
		}
	}
	for _, bad := range []string{"<script", "http://", "https://", "src=", "href="} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !strings.Contains(page.String(), `<rect class="ai-user"`) {
		t.Error("the plot has no part for the assistant's user")
	}
	start, end := strings.Index(page.String(), `<svg viewBox="0 0 9`), strings.Index(page.String(), "</svg>")
	if err := xml.Unmarshal([]byte(page.String()[start:end+6]), new(struct{})); err != nil {
		t.Errorf("the plot is not well-formed: %v", err)
	}
	if strings.Contains(markdown.String(), "</script>|") {
		t.Errorf("a bar of a path ends a cell:\n%s", markdown.String())
	}
	var back report.Report
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || back.Lines != r.Lines || back.MarkdownReady[0].Name != "/search" {
		t.Errorf("the JSON form: %v, %+v", err, back)
	}
}

// BenchmarkRead reads a million lines of one format in each operation.
func BenchmarkRead(b *testing.B) {
	for _, form := range []string{"vitrined combined", "vitrined json", "caddy"} {
		text := strings.Repeat(logs[form], 500_000)
		b.Run(strings.ReplaceAll(form, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := report.Read(b.Context(), []report.Log{{Name: form, Reader: strings.NewReader(text)}}, report.Options{})
				if err != nil || r.Lines != 1_000_000 {
					b.Fatal(err, r)
				}
			}
		})
	}
}
