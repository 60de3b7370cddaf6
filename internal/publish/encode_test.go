package publish

import (
	"bytes"
	"fmt"
	"testing"

	"vitrine/internal/artifact"
)

// A coded body depends on the body alone, not on what the same compressor was
// given before: brotli's writers once kept the search of their first body, so
// two builds of one site could differ.
func TestCodedBytesDependOnTheBodyAlone(t *testing.T) {
	var text bytes.Buffer
	for i := 0; text.Len() < brotliLarge+1000; i++ {
		fmt.Fprintf(&text, "Sentence %d is about %d things that %x others know. ", i, i*i%977, i*7919)
	}
	bodies := map[string][]byte{"small": text.Bytes()[:6000], "large": text.Bytes()}
	for _, coding := range []artifact.Coding{artifact.Gzip, artifact.Brotli} {
		for name, body := range bodies {
			want, err := newEncoders().encode(body, coding)
			if err != nil {
				t.Fatal(err)
			}
			for before, other := range bodies {
				e := newEncoders()
				if _, err := e.encode(other, coding); err != nil {
					t.Fatal(err)
				}
				got, err := e.encode(body, coding)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s: a %s body after a %s one is coded in %d bytes, alone in %d", coding, name, before, len(got), len(want))
				}
			}
		}
	}
}
