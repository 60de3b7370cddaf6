package edge_test

import (
	crand "crypto/rand"
	"encoding/binary"
	"flag"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
	"vitrine/internal/readers"
	"vitrine/internal/serve/decide"
)

var seed = flag.Uint64("seed", 0, "the `seed` for the additional random requests, to repeat a failure; 0 means a new seed")

const knownSeed = 20_261_120

// The Go decision and its JavaScript port return the same responses to the same random requests.
func TestDecisionsAgree(t *testing.T) { decisionsAgree(t, 20_000, 5_000) }

// decisionsAgree compares both decisions for random requests from a fixed seed and from a fresh one. If they differ, it
// fails the test with a simplified request that shows the difference.
func decisionsAgree(t *testing.T, questions, fresh int) {
	t.Helper()
	newSeed := *seed
	if newSeed == 0 {
		var b [8]byte
		_, _ = crand.Read(b[:]) // never fails
		newSeed = binary.LittleEndian.Uint64(b[:])
	}
	built := hostileSite(t, artifact.Gzip, artifact.Brotli)
	t.Run("every coding", func(t *testing.T) {
		s := newSubject(t, built, artifact.Gzip, artifact.Brotli)
		// Print the seeds first, so that an interrupted run can be repeated.
		fmt.Printf("decisions: asking %d questions of seed %d and %d of seed %d\n", questions, knownSeed, fresh, newSeed)
		s.compare(t, knownSeed, questions)
		s.compare(t, newSeed, fresh)
		fmt.Printf("decisions: %d questions, no difference\n", questions+fresh)
	})
	t.Run("digests", func(t *testing.T) {
		s := newSubject(t, chosenSite(t, digests(), artifact.Gzip, artifact.Brotli), artifact.Gzip, artifact.Brotli)
		s.compare(t, newSeed, fresh/5)
	})
	t.Run("agents", func(t *testing.T) {
		s := newSubject(t, chosenSite(t, artifact.OptionOfAgents(readers.Words()), artifact.Gzip, artifact.Brotli), artifact.Gzip, artifact.Brotli)
		s.compare(t, knownSeed, questions/5)
		s.compare(t, newSeed, fresh/5)
	})
	// The table for a platform that compresses responses itself.
	t.Run("identity", func(t *testing.T) {
		s := newSubject(t, hostileSite(t))
		s.compare(t, newSeed, fresh/5)
	})
}

// digests returns the option that enables digests.
func digests() artifact.Resource {
	return artifact.Resource{Path: artifact.OptionPrefix + artifact.OptionReprDigest, Kind: artifact.KindFallback}
}

// chosenSite builds the hostile site with an option enabled.
func chosenSite(t *testing.T, option artifact.Resource, codings ...artifact.Coding) *artifact.Build {
	t.Helper()
	return site(t, append(hostileResources(), []artifact.Resource{option}), codings...)
}

// On a platform that compresses responses itself, a response has a digest only if the client requested no content
// coding. A site that hasn't enabled digests sends no digests.
func TestDigestsOfPlatforms(t *testing.T) {
	s := newSubject(t, chosenSite(t, digests()))
	for accept, want := range map[string]bool{"": true, "identity": true, " Identity ": true, "gzip": false, "br, identity": false, "zstd": false, "*": false} {
		texts, err := s.port.ask([]question{{Request: decide.Request{Method: "GET", Path: "/llms.txt", AcceptEncoding: accept}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(texts[0], "\nRepr-Digest: sha-256=:"); got != want {
			t.Errorf("with Accept-Encoding %q there is a digest: %t, want %t", accept, got, want)
		}
	}
	built := hostileSite(t)
	manifest, err := edge.NewManifest(built.Manifest, built.Read)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := manifest.JSON(); err != nil || strings.Contains(string(data), "sha-256") || strings.Contains(string(data), "gptbot") {
		t.Errorf("the table of a site that has chosen nothing has digests, or names of agents (%v)", err)
	}
}

// subject is a site for which the two decisions are compared.
type subject struct {
	built *artifact.Build
	site  *decide.Site
	port  *port
	// names maps the bytes of each body to the name that the port prints for the body.
	names map[string]string
}

func newSubject(t *testing.T, built *artifact.Build, codings ...artifact.Coding) *subject {
	t.Helper()
	site, err := decide.NewSite(built)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := edge.NewManifest(built.Manifest, built.Read, codings...)
	if err != nil {
		t.Fatal(err)
	}
	data, err := manifest.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return &subject{built: built, site: site, port: startPort(t, data), names: bodyNames(t, built)}
}

// bodyNames returns a map from the bytes of each body to the name that the port prints for it. All bodies of the
// hostile site differ, so each name identifies one body.
func bodyNames(t *testing.T, built *artifact.Build) map[string]string {
	t.Helper()
	names := map[string]string{}
	for route := range built.Manifest.Routes() {
		for i := range route.Variants() {
			v := route.Variant(i)
			for c := range artifact.Coding(artifact.Codings) {
				index, ok := built.Manifest.BodyIn(v, c)
				if !ok {
					continue
				}
				body, err := built.Read(v, index)
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("file %s %d %s", c, len(body), built.Manifest.File(v))
				if built.Manifest.File(v) == "" {
					name = "text " + string(body)
				}
				if other, taken := names[string(body)]; taken && other != name {
					t.Fatalf("%s and %s have the same bytes; give the site another body", other, name)
				}
				names[string(body)] = name
			}
		}
	}
	return names
}

// compare compares both decisions for n random requests from a seed.
func (s *subject) compare(t *testing.T, seed uint64, n int) {
	t.Helper()
	g := newGenerator(s.built.Manifest, seed)
	const batch = 2000
	for asked := 0; asked < n; asked += batch {
		questions := make([]question, min(batch, n-asked))
		for i := range questions {
			questions[i] = g.question()
		}
		answers := make(chan []string, 1)
		failed := make(chan error, 1)
		go func() {
			texts, err := s.port.ask(questions)
			failed <- err
			answers <- texts
		}()
		want := make([][]byte, len(questions))
		for i := range questions {
			want[i] = s.answer(&questions[i])
		}
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
		for i, got := range <-answers {
			if got != string(want[i]) {
				s.report(t, questions[i], seed)
			}
		}
	}
}

// report fails the test with a simplified question that shows a difference.
func (s *subject) report(t *testing.T, q question, seed uint64) {
	t.Helper()
	ask := func(q question) string {
		texts, err := s.port.ask([]question{q})
		if err != nil {
			t.Fatal(err)
		}
		return texts[0]
	}
	q = shrink(q, func(q question) bool { return ask(q) != string(s.answer(&q)) })
	t.Fatalf("seed %d: the two decisions differ over\n%v\nGo answers\n%q\n\nits JavaScript port answers\n%q", seed, &q, s.answer(&q), ask(q))
}

// answer returns the Go decision as text: status, fields in order, and the body's name.
func (s *subject) answer(q *question) []byte {
	found := s.site.Find(&q.Request)
	var grant decide.Grant
	if found.Counted() {
		grant = q.grant()
	}
	a := s.site.Decide(&q.Request, found, grant)
	text := fmt.Appendf(nil, "%d\n", a.Status)
	add := func(name, value string) {
		text = append(text, name...)
		text = append(text, ": "...)
		text = append(text, value...)
		text = append(text, '\n')
	}
	for _, f := range a.Header.Fields() {
		add(f.Name, f.Value)
	}
	if a.Location != "" {
		add("Location", a.Location)
	}
	var fields [6]artifact.Field
	for _, f := range decide.AppendRateLimitFields(fields[:0], a.Grant) {
		add(f.Name, f.Value)
	}
	text = append(text, '\n')
	if a.Body == nil {
		return append(text, "none"...)
	}
	return append(text, s.names[string(a.Body)]...)
}
