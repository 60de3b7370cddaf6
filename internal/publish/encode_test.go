package publish

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"vitrine/internal/artifact"
)

// kinds are bodies that compressors treat in different ways: by length, by how
// much of them can be found again, and by how far back it is.
func kinds() map[string][]byte {
	var text bytes.Buffer
	for i := 0; text.Len() < brotliLarge+1000; i++ {
		fmt.Fprintf(&text, "Sentence %d is about %d things that %x others know. ", i, i*i%977, i*7919)
	}
	noise := make([]byte, 100_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	return map[string][]byte{
		"shortest":    text.Bytes()[:smallest],
		"small":       text.Bytes()[:6000],
		"middling":    text.Bytes()[50_000:120_000],
		"just small":  text.Bytes()[:brotliLarge-1],
		"just large":  text.Bytes()[:brotliLarge],
		"large":       text.Bytes(),
		"unvarying":   bytes.Repeat([]byte("a"), 200_000),
		"noise":       noise,
		"noise twice": append(bytes.Clone(noise[:20_000]), noise[:20_000]...),
		"not English": []byte(strings.Repeat("Füße größer als übliche; 価格は税込みです。", 300)),
	}
}

func codings() []artifact.Coding { return []artifact.Coding{artifact.Gzip, artifact.Brotli} }

// A coded body depends on the body alone, not on what the same compressor was
// given before: brotli's writers once kept the search of their first body, so
// two builds of one site could differ.
func TestCodedBytesDependOnTheBodyAlone(t *testing.T) {
	bodies := kinds()
	for _, coding := range codings() {
		for name, body := range bodies {
			want := encodeWith(t, newEncoders(), body, coding)
			for before, other := range bodies {
				e := newEncoders()
				encodeWith(t, e, other, coding)
				for _, time := range []string{"first", "second"} {
					if got := encodeWith(t, e, body, coding); !bytes.Equal(got, want) {
						t.Errorf("%s: a %s body after a %s one is coded in %d bytes the %s time, alone in %d", coding, name, before, len(got), time, len(want))
					}
				}
			}
		}
	}
}

// A coded body is what was coded, says a decoder of another make than the
// encoder, and a later body leaves it as it is.
func TestOthersDecodeCodedBodies(t *testing.T) {
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

// Whatever a body holds, it comes back.
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
