package edge_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/edge"
)

// Cloudflare's limits for a Worker in bytes: compressed on the free plan, and uncompressed.
const (
	workerCompressed = 3 << 20
	workerPlain      = 64 << 20
)

// A site of 10,000 pages fits every platform without being split. This test logs the figures that the package comment
// quotes.
func TestTenThousandPagesFit(t *testing.T) {
	const pages = 10_000
	files, err := edge.Outputs(manyPages(t, pages), func(artifact.VariantIndex, artifact.BodyIndex) ([]byte, error) {
		return []byte(`{"type": "https://parley.example/problems/not-found"}`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	plain, compressed := 0, 0
	for _, f := range files {
		if len(f.Name) > 10 && f.Name[:10] == "cloudflare" {
			plain += len(f.Body)
			compressed += gzipped(t, f.Body)
		}
	}
	t.Logf("%d pages: %d bytes, %d compressed; for each page %d and %d", pages, plain, compressed, plain/pages, compressed/pages)
	if plain > workerPlain/4 || compressed > workerCompressed/2 {
		t.Errorf("%d bytes, %d compressed; that is too near the limits of %d and %d", plain, compressed, workerPlain, workerCompressed)
	}
}

func gzipped(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// manyPages returns the manifest of a site of n pages, each with its Markdown twin.
func manyPages(t *testing.T, n int) *artifact.Manifest {
	t.Helper()
	w := artifact.NewManifestWriter()
	w.Add(artifact.Entry{Path: artifact.ProblemPrefix + artifact.ProblemNotFound, Kind: artifact.KindFallback, Variants: []artifact.EntryVariant{
		{Bodies: []artifact.Body{{Hash: 1, Size: 1}}},
	}})
	for i := range n {
		resources := hostilePage(fmt.Sprintf("/blog/%d/a-title-of-some-words-%d", i/100, artifact.Hash([]byte{byte(i), byte(i >> 8)})))
		entries := make([]artifact.Entry, len(resources))
		for j, r := range resources {
			entries[j] = artifact.Entry{Path: r.Path, Kind: r.Kind}
			for _, v := range r.Variants {
				body := artifact.Body{Hash: artifact.Hash(v.Body), Size: int64(4000 + artifact.Hash(v.Body)%9000)}
				entries[j].Variants = append(entries[j].Variants, artifact.EntryVariant{File: v.File, Fields: v.Fields, Bodies: []artifact.Body{body}})
			}
		}
		w.Add(entries...)
	}
	data, err := w.Bytes(artifact.DefaultLimit, artifact.DefaultWindow)
	if err != nil {
		t.Fatal(err)
	}
	m, err := artifact.ReadManifest(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
