package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/cache"
	"vitrine/internal/record"
	"vitrine/internal/site"
)

// elsewhere keeps a build's records in memory, as a bucket would. tail is the result of Tail, and reads is the number
// of reads from the heap.
type elsewhere struct {
	files map[string][]byte
	tail  int64
	reads atomic.Int64
}

func (e *elsewhere) Read(name string) ([]byte, error) {
	if data, ok := e.files[name]; ok {
		return data, nil
	}
	return nil, os.ErrNotExist
}

func (e *elsewhere) ReadAt(into []byte, offset int64) (int, error) {
	e.reads.Add(1)
	return copy(into, e.files[record.HeapName][offset:]), nil
}

func (e *elsewhere) Err() error { return nil }

func (e *elsewhere) Tail() int64 { return e.tail }

// described is the decoded result of Remote.Describe.
type described struct {
	Base  int64
	Index bool
}

func (e *elsewhere) Describe(base int64, index bool) []byte {
	data, _ := json.Marshal(described{base, index})
	return data
}

// store adds the records in a build folder, and keeps the parts of earlier records to which these records refer.
func (e *elsewhere) store(t *testing.T, out string, r *rand.Rand) {
	t.Helper()
	dir := filepath.Join(out, record.Dir)
	s := record.ReadStored(dir)
	if s == nil {
		t.Fatal("the build has no records")
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	next := make(map[string][]byte)
	if s.Since != nil {
		var d described
		if err := json.Unmarshal(s.Since, &d); err != nil {
			t.Fatal(err)
		}
		if next[record.HeapName] = e.files[record.HeapName][:d.Base:d.Base]; d.Index {
			next["last-index"] = e.files["last-index"]
		}
	}
	for _, name := range s.Files {
		next[name] = read(name)
	}
	if copies := cache.Small(filepath.Join(dir, record.CopiesName), 2<<10); copies != nil {
		next[record.CopiesName] = copies
	}
	if s.Heap != "" {
		if have := int64(len(next[record.HeapName])); have != s.Base {
			t.Fatalf("the heap continues at %d, and %d bytes are before it", s.Base, have)
		}
		next[record.HeapName] = append(next[record.HeapName], read(s.Heap)[:s.End-s.Base]...)
	}
	if int64(len(next[record.HeapName])) != s.End {
		t.Fatalf("the heap has %d bytes, want %d", len(next[record.HeapName]), s.End)
	}
	e.files, e.tail = next, s.End
	if r.IntN(2) == 0 {
		e.tail = r.Int64N(s.End + 1)
	}
}

// After each of many random edits, a sparse build equals a full build. Each sparse build is made only from the records
// and objects of the previous sparse build.
func TestSparseChain(t *testing.T) { sparseChain(t, 6, 5) }

func sparseChain(t *testing.T, edits int, seed uint64) {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	for name, begin := range map[string]func(*testing.T, uint64) *editor{"one language": newEditor, "several languages": newPolyglot} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, seed)
			last, records, r := filepath.Join(t.TempDir(), "last"), new(elsewhere), rand.New(rand.NewPCG(seed, 1))
			e.build(last)
			records.store(t, last, r)
			for i := range edits {
				what := "nothing"
				if i > 0 {
					what = e.edit()
				}
				if !e.continues(&last, records, r, fmt.Sprintf("edit %d of seed %d (%s)", i, seed, what)) {
					return
				}
			}
		})
	}
}

// continues makes a sparse build that is based on the build in the folder *last, and reports whether it equals a full
// build. It then sets *last to the folder of that full build.
func (e *editor) continues(last *string, records *elsewhere, r *rand.Rand, after string) bool {
	e.t.Helper()
	since, err := artifact.Open(*last)
	if err != nil {
		e.t.Fatal(err)
	}
	defer since.Close()
	full, out := filepath.Join(e.t.TempDir(), "full"), filepath.Join(e.t.TempDir(), "sparse")
	output := e.output(out)
	output.Earlier = &Earlier{Build: artifact.Remote(since.Manifest, since.Read), Records: records}
	result, problems, err := Build(e.t.Context(), Source{Root: e.root, Drafts: e.drafts, NoSocialImages: e.noCards}, output, Observer{})
	want := e.build(full)
	switch failed := err != nil || site.HasErrors(problems); {
	case failed != (want.failed != "") || fmt.Sprint(problems) != want.problems:
		e.t.Errorf("after %s the sparse build ends with %v and\n%v\nand the full one with %q and\n%s", after, err, problems, want.failed, want.problems)
		return false
	case failed:
		return true
	case result.Build != want.Build:
		e.t.Errorf("after %s the sparse build is %+v, and the full one %+v", after, result.Summary, want.Summary)
		return false
	}
	is, whole, before := builtFiles(e.t, out), builtFiles(e.t, full), builtFiles(e.t, *last)
	for name, text := range is {
		if name != artifact.SparseFile && text != whole[name] {
			e.t.Errorf("after %s the file %s differs: %s", after, name, difference(text, whole[name]))
			return false
		}
	}
	for name := range whole {
		if _, has := is[name]; !has && (isIn(name, artifact.PublicDir) || isIn(name, artifact.CodedDir)) && before[name] != whole[name] && name != "public/_headers" {
			e.t.Errorf("after %s the file %s is missing", after, name)
			return false
		}
	}
	records.store(e.t, out, r)
	*last = full
	return true
}

// A sparse build neither generates nor reads a smaller copy of an image that the earlier build has.
func TestSparseChainKeepsCopies(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 3)
	var data bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, 1400, 900))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i * i >> 8)
	}
	if err := png.Encode(&data, picture); err != nil {
		t.Fatal(err)
	}
	e.write("content/blog/wide.png", data.String())
	e.write("content/pricing.md", e.read("content/pricing.md")+"\n![Wide](/blog/wide.png)\n")
	last, records, r := filepath.Join(t.TempDir(), "last"), new(elsewhere), rand.New(rand.NewPCG(1, 1))
	e.build(last)
	records.store(t, last, r)
	e.write("content/index.md", e.read("content/index.md")+"\nMore.\n")
	since, err := artifact.Open(last)
	if err != nil {
		t.Fatal(err)
	}
	defer since.Close()
	read := func(v artifact.VariantIndex, i artifact.BodyIndex) ([]byte, error) {
		if name := since.Manifest.File(v); strings.HasPrefix(name, "assets/images/") {
			t.Errorf("the build reads %s", name)
		}
		return since.Read(v, i)
	}
	out, full := filepath.Join(t.TempDir(), "sparse"), filepath.Join(t.TempDir(), "full")
	output := e.output(out)
	output.Earlier = &Earlier{Build: artifact.Remote(since.Manifest, read), Records: records}
	result, problems, err := Build(t.Context(), Source{Root: e.root}, output, Observer{})
	if want := e.build(full); err != nil || result.Build != want.Build {
		t.Fatal(problems, err, result.Build, want.Build)
	}
	cached := func(dir string) int64 {
		info, err := os.Stat(filepath.Join(dir, record.Dir, record.CopiesName))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if is, whole := cached(out), cached(full); is > 4<<10 || whole < 40<<10 {
		t.Errorf("the cache of images has %d bytes, and the full build's %d", is, whole)
	}
}

// After an edit to the text of one page, a sparse build renders only that page and reads few records of other pages.
func TestSparseChainRendersChangedPages(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 3)
	last, records, r := filepath.Join(t.TempDir(), "last"), new(elsewhere), rand.New(rand.NewPCG(1, 1))
	e.build(last)
	records.store(t, last, r)
	for i := range 3 {
		e.write("content/pricing.md", e.read("content/pricing.md")+"\nMore.\n")
		since, err := artifact.Open(last)
		if err != nil {
			t.Fatal(err)
		}
		var made counting
		output := e.output(filepath.Join(t.TempDir(), "sparse"))
		output.Earlier = &Earlier{Build: artifact.Remote(since.Manifest, since.Read), Records: records}
		if _, problems, err := Build(t.Context(), Source{Root: e.root}, output, Observer{Progress: &made}); err != nil || site.HasErrors(problems) {
			t.Fatal(problems, err)
		}
		if made.pages != 1 {
			t.Errorf("build %d made %d pages, want 1", i, made.pages)
		}
		if err := since.Close(); err != nil {
			t.Fatal(err)
		}
		records.store(t, output.Out, r)
		last = filepath.Join(t.TempDir(), "full")
		e.build(last)
	}
}
