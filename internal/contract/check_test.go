package contract

import (
	"strings"
	"testing"
)

// Each kind of check passes, and fails with the actual and the expected value.
func TestChecks(t *testing.T) {
	for _, c := range []struct{ request, passes, fails, got, want string }{
		{"GET /json", "header ETag = \"1\"", "header ETag = \"2\"", `"1"`, `"2"`},
		{"GET /json", "header ETag != \"2\"", "header ETag != \"1\"", `"1"`, `anything but "1"`},
		{"GET /json", "header ETag ~ \"[0-9]\"", "header ETag ~ [0-9]", `"1"`, "a match for [0-9]"},
		{"GET /json", "header Link contains service-doc", "header Link contains alternate", "</openapi.json>", "a string that contains alternate"},
		{"GET /json", "header Link lacks alternate", "header Link lacks rel=", "</openapi.json>", "a string without rel="},
		{"GET /json", "header Vary lists Accept-Encoding", "header Vary lists Origin", "Accept, accept-encoding", "a list that contains Origin"},
		{"GET /json", "header Vary = Accept, accept-encoding", "header Vary = Accept", "Accept, accept-encoding", "Accept"},
		{"GET /apache", "header Vary = Accept, Accept-Encoding", "header Vary = Accept,Accept-Encoding", "Accept, Accept-Encoding", "Accept,Accept-Encoding"},
		{"GET /json", "header Allow lists HEAD", "header Allow lists head", "GET, HEAD", "a list that contains head"},
		{"GET /json", "header X-Left at least 7", "header X-Left at least 8", "7", "8"},
		{"GET /json", "header X-Left at most 7", "header X-Left at most 6", "7", "6"},
		{"GET /json", "", "header ETag at most 7", `"1"`, "7"},
		{"GET /json", "no header X-None", "no header ETag", `ETag: "1"`, "no header ETag"},
		{"GET /json", "", "header X-None = 1", "no such header", "a header X-None"},
		{"GET /json", "link service-desc = {BASE}/openapi.json", "link service-desc = /other", "https://parley.example/openapi.json", "https://parley.example/other"},
		{"GET /json", "link help = /docs/api", "link alternate = /", "no such link", "https://parley.example/"},
		{"GET /json", "link help contains docs", "link prev contains docs", "no such link", "a Link with rel=prev"},
		{"GET /json", "json name = \"Parley\"", "json name = \"Other\"", `"Parley"`, `"Other"`},
		{"GET /json", "json price = 49.50", "json price = 49.5", "49.50", "49.5"},
		{"GET /json", "json list[0] = {\"n\": \"x\"}", "json list = []", `[{"n":"x"},{"n":"y"}]`, "[]"},
		{"GET /json", "json list =\n\t[{\"n\": \"x\"},\n\t {\"n\": \"y\"}]", "", "", ""},
		{"GET /json", "json list[*].n ~ [xy]", "json list[*].n ~ x", "y", "a match for x"},
		{"GET /json", "json list lists {\"n\": \"y\"}", "json list lists \"y\"", `[{"n":"x"},{"n":"y"}]`, `an array that contains "y"`},
		{"GET /json", "json map[\"a/b\"] = \"c\"", "json map.missing = 1", "no such member", "a member map missing"},
		{"GET /json", "json see.n = \"y\"", "json see.n = \"x\"", `"y"`, `"x"`},
		{"GET /json", "json name contains arl", "json name lacks arl", "Parley", "a string without arl"},
		{"GET /json", "json name is string", "json price is integer", "49.50", "a value of type integer"},
		{"GET /json", "json count is integer", "json open is string", "true", "a value of type string"},
		{"GET /json", "json price is number", "json name is number", `"Parley"`, "a value of type number"},
		{"GET /json", "json open is boolean", "json none is boolean", "null", "a value of type boolean"},
		{"GET /json", "json none is null", "json list is object", `[{"n":"x"},{"n":"y"}]`, "a value of type object"},
		{"GET /json", "json list is array", "json . is array", `{"contact"`, "a value of type array"},
		{"GET /json", "json contact is email", "json name is email", `"Parley"`, "a value of type email"},
		{"GET /json", "json missing.url is URI or absent", "json count is string or absent", "3", "a value of type string"},
		{"GET /json", "json url is URI", "json name is URI", `"Parley"`, "a value of type URI"},
		{"GET /json", "no json missing.member", "no json name", "Parley", "no such member"},
		{"GET /json", "json besides name = {\"price\":49.50,\"count\":3,\"open\":true,\"none\":null,\"contact\":\"a@b.example\"," +
			"\"url\":\"https://parley.example/\",\"list\":[{\"n\":\"x\"},{\"n\":\"y\"}],\"map\":{\"a/b\":\"c\"},\"see\":{\"$ref\":\"#/list/1\"}}",
			"json besides name = {\"price\":1}", `"price":49.50`, `{"price":1}`},
		{"GET /json", "", "json besides other = {}", "{", "a member other"},
		{"GET /coded", "", "json . is object", "reading JSON", "JSON"},
		{"GET /coded", "body = a text, long enough", "body = another", "a text, long enough", "another"},
		{"GET /coded", "body != another", "body != a text, long enough", "a text, long enough", "anything but a text, long enough"},
		{"GET /list", "body =\n\tsee https://parley.example/one\n\tsee https://parley.example/two#part\n\tsee https://parley.example", "body =\n\tsee", "see https", "see"},
		{"GET /coded", "body ~ a text.*", "body ~ text", "a text, long enough", "a match for text"},
		{"GET /list", "body ~ see.*example\\s", "", "", ""},
		{"GET /price", "body shows 1299", "body shows 299", "from €1,299.50 a year", "a string that contains the number 299"},
		{"GET /price", "body shows 1299.5", "body shows 12995", "from €1,299.50 a year", "a string that contains the number 12995"},
		{"GET /coded", "body contains long", "body contains short", "a text", "a string that contains short"},
		{"GET /coded", "body lacks short", "body lacks long", "a text", "a string without long"},
		{"GET /one", "body empty", "", "", ""},
		{"GET /coded", "", "body empty", "a text", "nothing"},
		{"GET /coded", "body under 20 characters", "body under 19 characters", "19 characters", "fewer than 19 characters"},
		{"GET /coded", "body fits ETag", "", "", ""},
		{"GET /coded\nAccept-Encoding: gzip", "body fits ETag", "body = a text, long enough", "\x1f\x8b", "a text, long enough"},
		{"GET /coded\nAccept-Encoding: br", "body fits ETag", "", "", ""},
		{"GET /json", "", "body fits ETag", `"1"`, `"`},
		{"GET /one", "", "body fits ETag", "no header ETag", `"ef46db3751d8e999"`},
		{"GET /coded\nAccept-Encoding: gzip", "decoded body = a text, long enough", "decoded body = other", "a text, long enough", "other"},
		{"GET /coded\nAccept-Encoding: br", "decoded body = a text, long enough", "decoded body lacks text", "a text", "a string without text"},
		{"GET /coded", "decoded body contains text", "", "", ""},
		{"GET /coded", "length = 19", "length = 20", "19", "20"},
		{"GET /json", "keep L = header X-Left\nheader X-Left = {L}", "keep L = header X-None", "no such header", "a header X-None"},
		{"GET /json", "keep L = header X-Left\nheader X-Left at least {L-1}", "keep L = header X-Left\nheader X-Left = {L+1}", "7", "8"},
		{"GET /coded", "keep W = body ~ a (\\w+),\nkept W = text", "keep W = body ~ (short)", "a text", "a match for (short)"},
		{"GET /list", "keep up to 2 U = body ~ ^see (\\S+)$\nkept U ~ https://.*/(one|two).*", "keep up to 9 U = body ~ ^see (\\S+)$\nkept U contains /one", "https://parley.example/two#part", "a string that contains /one"},
		{"GET /list", "keep up to 9 U = body ~ ^see (\\S+)$\nbody contains {U}", "keep up to 9 U = body ~ ^see (\\S+)$\nbody lacks {U}", "see https", "a string without https://parley.example/one"},
		{"GET /json", "keep J = json list\nkept J = [{\"n\":\"x\"},{\"n\":\"y\"}]", "keep J = json missing", "no such member", "a member missing"},
		{"GET /json", "keep S = status\nkept S = 200", "keep S = link prev", "no such link", "a Link with rel=prev"},
		{"GET /expires", "keep E = body ~ Expires: (.*)\nkept E within 60 days", "keep E = body ~ Expires: (.*)\nkept E within 7 days", "20", "a time within the next 7 days"},
	} {
		status := "\nanswers 200\n"
		if c.passes != "" {
			if err := play(t, sample(), "== passes\nproves X\n\n"+c.request+status+c.passes+"\n", nil).Err(); err != nil {
				t.Errorf("%s: %v", c.passes, err)
			}
		}
		if c.fails == "" {
			continue
		}
		report := play(t, sample(), "== fails\nproves X\n\n"+c.request+status+c.fails+"\n", nil)
		if _, failed, _ := report.Counts(); failed != 1 {
			t.Errorf("%s: does not fail", c.fails)
			continue
		}
		f := report.Files[0].Cases[0].Failures[0]
		if !strings.Contains(f.Got, c.got) || !strings.Contains(f.Want, c.want) {
			t.Errorf("%s: got %q, want %q; should be %q, %q", c.fails, f.Got, f.Want, c.got, c.want)
		}
	}
}

// A failure names its file and line, the actual and the expected value, and shows the request as
// sent with its response.
func TestFailureText(t *testing.T) {
	report := play(t, sample(), `# a comment
== the price is low
proves X

GET /json?x=%zz
Accept: text/html
Accept: text/markdown
answers 304
header ETag = "2"
`, nil)
	got := report.Err().Error()
	for _, want := range []string{
		"test.txt:8: answers 304\n\tgot        200\n\twant       304\n",
		"test.txt:9: header ETag = \"2\"\n\tgot        \"1\"\n\twant       \"2\"\n",
		"\tin         the price is low\n",
		"\tsent       GET /json?x=%zz\n\t           Accept: text/html\n\t           Accept: text/markdown\n",
		"\tanswered   200 OK\n\t           Allow: GET, HEAD\n",
		"\n\t           {\"name\":\"Parley\"",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the failure lacks %q:\n%s", want, got)
		}
	}
}
