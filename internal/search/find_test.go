package search_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/lab/rig"
	"vitrine/internal/search"
)

// indexed is an index in a folder, with the data and scripts that a browser loads first.
type indexed struct {
	folder string
	start  map[string]any
	// version is the version of the documentation to search, or "".
	version string
	// files is the number of index files, excluding text files.
	files int
	// scripts is the compressed size of the scripts in bytes.
	scripts int
}

// part is a piece of a result's text: a string, and whether the string matches the query.
type part []any

// answer contains the results of a search.
type answer struct {
	Count   int
	Results []struct {
		Path     string
		Title    []part
		Version  string
		Sections []struct {
			Path             string
			Heading, Snippet []part
		}
	}
	Bytes, Files int
	MS           float64
}

// records returns the index records of pages. If folder isn't "", records writes the pages' text to files in folder.
func records(t testing.TB, language, folder string, pages []search.Page) []search.Record {
	t.Helper()
	var packer search.Packer
	analyzer := search.NewAnalyzer(language)
	list := make([]search.Record, len(pages))
	for i := range pages {
		analyzed := analyzer.Page(&pages[i])
		list[i].Terms = string(analyzed.Terms)
		for _, piece := range analyzed.Pieces {
			held := string(piece)
			if folder != "" {
				body, err := packer.Pack(piece)
				if err != nil {
					t.Fatal(err)
				}
				held = string(binary.BigEndian.AppendUint64(nil, write(t, folder, body)))
			}
			list[i].Pieces = append(list[i].Pieces, held)
		}
	}
	return list
}

// builder returns a Builder with records already added.
func builder(records []search.Record) *search.Builder {
	b := search.NewBuilder()
	for _, r := range records {
		b.Add(r)
	}
	return b
}

func write(t testing.TB, folder string, body []byte) uint64 {
	t.Helper()
	hash := xxhash.Sum64(body)
	if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%016x", hash)), body, 0o600); err != nil {
		t.Fatal(err)
	}
	return hash
}

// index builds an index of pages. If apart is set, their text is in separate files.
func index(t testing.TB, language string, apart bool, pages []search.Page) *indexed {
	t.Helper()
	made := &indexed{folder: t.TempDir()}
	texts := ""
	if apart {
		texts = made.folder
	}
	root, err := builder(records(t, language, texts, pages)).Build(func(body []byte) (uint64, error) {
		made.files++
		return write(t, made.folder, body), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	made.start = map[string]any{"root": fmt.Sprintf("/%016x", root.File), "depth": root.Depth, "pages": len(pages), "files": "/*"}
	scripts := [][]byte{search.Stemmer(language)}
	if scripts[0] != nil {
		name := filepath.Join(made.folder, "stemmer.mjs")
		if err := os.WriteFile(name, scripts[0], 0o600); err != nil {
			t.Fatal(err)
		}
		made.start["stemmer"] = name
	}
	for _, name := range []string{"search.js", "search-engine.js"} {
		script, err := os.ReadFile(filepath.Join(rig.Root(t), "templates/assets", name))
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, script)
	}
	for _, script := range scripts {
		made.scripts += packed(t, script)
	}
	return made
}

func packed(t testing.TB, body []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// find returns the results of queries. If fresh is set, each query starts without loaded files, like a user's first
// search.
func (x *indexed) find(t testing.TB, fresh bool, queries ...string) []answer {
	t.Helper()
	question, err := json.Marshal(map[string]any{"engine": engine(t), "folder": x.folder, "start": x.start, "queries": queries, "fresh": fresh, "version": x.version})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), rig.Node(t), "testdata/find.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var a answer
		if err := in.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return answers
}
