package publish

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"vitrine/internal/artifact"
)

// kinds returns bodies that compressors treat differently. They differ in their length, and in the amount and the
// distance of repeated text.
func kinds() map[string][]byte {
	var text bytes.Buffer
	for i := 0; text.Len() < 130_000; i++ {
		fmt.Fprintf(&text, "Sentence %d is about %d things that %x others know. ", i, i*i%977, i*7919)
	}
	// Repeated text compresses quickly, but its start is as hard to compress as any text.
	large := bytes.Repeat(text.Bytes(), brotliLarge/text.Len()+1)
	noise := make([]byte, 100_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	return map[string][]byte{
		"shortest":    text.Bytes()[:smallest],
		"small":       text.Bytes()[:6000],
		"middling":    text.Bytes()[50_000:120_000],
		"just small":  large[:brotliLarge-1],
		"just large":  large[:brotliLarge],
		"long":        text.Bytes(),
		"unvarying":   bytes.Repeat([]byte("a"), 200_000),
		"noise":       noise,
		"noise twice": append(bytes.Clone(noise[:20_000]), noise[:20_000]...),
		"not English": []byte(strings.Repeat("Füße größer als übliche; 価格は税込みです。", 300)),
	}
}

func codings() []artifact.Coding { return []artifact.Coding{artifact.Gzip, artifact.Brotli} }

// orders returns n orders of the numbers from 0 to n-1. n must be even. Each number comes first in one order, and
// directly follows each other number in one order (E. J. Williams, 1949).
func orders(n int) [][]int {
	all := make([][]int, n)
	for i := range all {
		for j := range n {
			step := (j + 1) / 2
			if j%2 == 0 {
				step = n - step
			}
			all[i] = append(all[i], (i+step)%n)
		}
	}
	return all
}

// Regression test: a compressed body must depend only on the body, and not on what the same compressor has compressed
// before. A brotli writer once kept the search algorithm of its first body, so two builds of a site could differ. In
// these orders, each kind of body is the first body of a compressor once, and directly follows each kind of body once.
func TestEncodingDependsOnlyOnBody(t *testing.T) {
	t.Parallel()
	for _, coding := range codings() {
		bodies := kinds()
		if coding == artifact.Gzip {
			// gzip uses one algorithm for all sizes, and its window is 32 KiB.
			delete(bodies, "just small")
			delete(bodies, "just large")
		}
		names := slices.Sorted(maps.Keys(bodies))
		alone := make(map[string][]byte)
		for name, body := range bodies {
			alone[name] = encodeWith(t, newEncoders(), body, coding)
		}
		for _, order := range orders(len(names)) {
			e, before := newEncoders(), "no"
			for _, i := range append(order[:1:1], order...) {
				name := names[i]
				if got := encodeWith(t, e, bodies[name], coding); !bytes.Equal(got, alone[name]) {
					t.Errorf("%s: a %s body after a %s one, and %s first of all, is coded in %d bytes, alone in %d",
						coding, name, before, names[order[0]], len(got), len(alone[name]))
				}
				before = name
			}
		}
	}
}

// After a small body, a writer compresses a large body to other bytes than a new writer does. The bodies of
// TestEncodingDependsOnlyOnBody therefore reveal a writer that is used for bodies of both sizes.
func TestOneWriterForAllSizesDiffers(t *testing.T) {
	bodies, e := kinds(), newEncoders()
	want := encodeWith(t, e, bodies["just large"], artifact.Brotli)
	w := e.brotli.New().(*encoder)
	for _, name := range []string{"small", "just large"} {
		if err := w.run(bodies[name]); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(w.coded.Bytes(), want) {
		t.Error("the bytes are the same, so the bodies prove nothing")
	}
}

// Each kind of body is first in one of the orders, and each pair of kinds occurs.
func TestOrders(t *testing.T) {
	first, pairs := make(map[int]bool), make(map[[2]int]bool)
	n := len(kinds())
	for _, order := range orders(n) {
		first[order[0]] = true
		for i := range n - 1 {
			pairs[[2]int{order[i], order[i+1]}] = order[i] != order[i+1]
		}
	}
	if len(first) != n || len(pairs) != n*(n-1) {
		t.Errorf("%d are first and %d pairs are tried, of %d things", len(first), len(pairs), n)
	}
}

// An independent decoder restores the original body, and later bodies don't overwrite it.
func TestIndependentDecoder(t *testing.T) {
	for _, coding := range codings() {
		e := newEncoders()
		coded := make(map[string][]byte)
		for name, body := range kinds() {
			coded[name] = encodeWith(t, e, body, coding)
		}
		for name, body := range kinds() {
			if coded[name] == nil && name == "noise" {
				continue
			}
			got, err := decode(coded[name], coding)
			if err != nil || !bytes.Equal(got, body) {
				t.Errorf("%s: the %s body of %d bytes is decoded to %d bytes, error %v", coding, name, len(body), len(got), err)
			}
		}
		if coded["noise"] != nil {
			t.Errorf("%s: what cannot be compressed is coded in %d bytes", coding, len(coded["noise"]))
		}
	}
}

// Any body is the same after compression and decompression.
func FuzzCodings(f *testing.F) {
	for _, body := range kinds() {
		f.Add(body[:min(len(body), 10_000)])
	}
	e := newEncoders()
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, coding := range codings() {
			coded := encodeWith(t, e, body, coding)
			if coded == nil {
				continue
			}
			if got, err := decode(coded, coding); err != nil || !bytes.Equal(got, body) {
				t.Errorf("%s: decoded to %d bytes of %d, error %v", coding, len(got), len(body), err)
			}
		}
	})
}

func encodeWith(t *testing.T, e *encoders, body []byte, coding artifact.Coding) []byte {
	t.Helper()
	coded, err := e.encode(body, coding)
	if err != nil {
		t.Fatal(err)
	}
	return coded
}

func decode(coded []byte, coding artifact.Coding) ([]byte, error) {
	if coding == artifact.Brotli {
		return io.ReadAll(brotli.NewReader(bytes.NewReader(coded)))
	}
	r, err := gzip.NewReader(bytes.NewReader(coded))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
