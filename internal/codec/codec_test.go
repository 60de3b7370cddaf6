package codec_test

import (
	"math"
	"testing"
	"unsafe"

	"vitrine/internal/codec"
)

// A Reader returns values in the order in which they were written. If the data is truncated anywhere, it returns zero
// values and reports the damage.
func TestRoundTrip(t *testing.T) {
	var w codec.Writer
	write := func() {
		w.Uint(0)
		w.Uint(math.MaxUint64)
		w.Int(math.MinInt64)
		w.Hash(1 << 63)
		w.Float(-2.5)
		w.Bool(true)
		w.Text("a\x00ü")
		w.Bytes(nil)
		w.Uint(2)
		w.Bool(false)
		w.Bool(true)
	}
	write()
	read := func(r *codec.Reader) bool {
		return r.Uint() == 0 && r.Uint() == math.MaxUint64 && r.Int() == math.MinInt64 && r.Hash() == 1<<63 &&
			r.Float() == -2.5 && r.Bool() && r.Text() == "a\x00ü" && r.Text() == "" && r.Count() == 2 && !r.Bool() && r.Bool()
	}
	if r := codec.NewReader(string(w.Data)); !read(r) || !r.Done() {
		t.Error("a value differs from the written one")
	}
	for n := range w.Data {
		if r := codec.NewReader(string(w.Data[:n])); read(r) && r.Done() {
			t.Errorf("%d of %d bytes are read as complete", n, len(w.Data))
		}
	}
	if r := codec.NewReader("\xff\xff\xff\xff\x0fx"); r.Count() != 0 || r.OK() {
		t.Error("a count beyond the data is accepted")
	}
}

// A copying Reader returns the same values, and its strings don't share the memory of the data.
func TestCopyingReader(t *testing.T) {
	var w codec.Writer
	w.Text("one")
	w.Bytes([]byte("two"))
	data := string(w.Data)
	r := codec.NewCopyingReader(data)
	text := r.Text()
	if unsafe.StringData(text) == unsafe.StringData(data[1:]) {
		t.Error("the string is a part of the data")
	}
	if body := r.Bytes(); text != "one" || string(body) != "two" || !r.Done() {
		t.Errorf("%q, %q, %t", text, body, r.Done())
	}
}
