package build

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

const authorsFile = "content/authors.yaml"

// blogEdits returns edits to authors, covers, and series.
func (e *editor) blogEdits() []edit {
	return []edit{
		{"authors", func() string { e.writeAuthors("Ana " + e.name()); return authorsFile }},
		{"authors removed", func() string {
			if _, err := os.Stat(e.path(authorsFile)); err != nil {
				return "none"
			}
			e.remove(authorsFile)
			return authorsFile
		}},
		{"portrait", func() string { e.writePicture("content/people/ana.png"); return "" }},
		{"author", func() string {
			return e.change(e.any(), "author", []string{"ana", "[ben, ana]", "Somebody", "bem"}[e.r.IntN(4)])
		}},
		{"series", func() string { return e.change(e.any(), "series", []string{"One", "one", "Two"}[e.r.IntN(3)]) }},
		{"cover", func() string {
			images := e.files("content/blog", ".png")
			if len(images) == 0 {
				return "none"
			}
			return e.change(e.any(), "cover", "/blog/"+filepath.Base(images[e.r.IntN(len(images))]))
		}},
	}
}

// writeAuthors writes an authors.yaml with two people. The first has the given name and a portrait.
func (e *editor) writeAuthors(name string) {
	e.writePicture("content/people/ana.png")
	e.write(authorsFile, fmt.Sprintf("ana: {name: %q, picture: people/ana.png, bio: Writes.}\nben: {name: Ben, url: \"https://ben.example/\"}\n", name))
}

func (e *editor) writePicture(name string) {
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 20+e.r.IntN(9), 9))); err != nil {
		e.t.Fatal(err)
	}
	e.write(name, data.String())
}

// After an edit to authors.yaml, a portrait, a cover, or a series, an incremental build equals a full build.
func TestWarmBlog(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1780000000")
	e := newEditor(t, 23)
	e.noCards = true
	posts := e.files("content/blog", ".md")
	e.writeAuthors("Ana")
	e.writePicture("content/blog/cover.png")
	for i, front := range []string{"author: ana\ncover: cover.png\nseries: One\n", "author: [ana, ben]\nseries: one\n", "author: Ana\n"} {
		e.write(posts[1+i], fmt.Sprintf("---\ntitle: Post %c\ndate: 2026-05-0%d\ntags: [a, b]\n%s---\n\nText.\n", 'A'+i, 1+i, front))
	}
	for _, edit := range []struct {
		what string
		make func()
	}{
		{"nothing", func() {}},
		{"another name", func() { e.writeAuthors("Ana Lima") }},
		{"another portrait", func() { e.writePicture("content/people/ana.png") }},
		{"another cover", func() { e.writePicture("content/blog/cover.png") }},
		{"another bio", func() {
			e.write(authorsFile, "ana: {name: Ana Lima, bio: Reads.}\nben: {name: Ben}\n")
			e.remove("content/people/ana.png")
		}},
		{"one author less", func() { e.write(authorsFile, "ben: {name: Ben}\n") }},
		{"a new part", func() {
			e.write("content/blog/part.md", "---\ntitle: Part\ndate: 2026-04-30\nseries: One\nauthor: ben\n---\n\nText.\n")
		}},
		{"a text", func() { e.write(posts[1], e.read(posts[1])+"\nMore.\n") }},
		{"no authors", func() { e.remove(authorsFile) }},
		{"a mistake", func() { e.write(authorsFile, "ana: {nam: Ana}\n") }},
		{"authors again", func() { e.writeAuthors("Ana") }},
	} {
		if edit.make(); !e.compare(edit.what) {
			return
		}
	}
}
