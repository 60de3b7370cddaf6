package convert

import "fmt"

// Note is a report about content that wasn't converted exactly.
type Note struct {
	// File is the file's name relative to the source.
	File string `json:"file"`
	// Line is the line number, counted from 1, or 0 if the line is unknown or the note is about the whole file.
	Line int `json:"line,omitempty"`
	// What names the content, such as "the comments on the page".
	What string `json:"what"`
	// Why explains why the content wasn't converted exactly.
	Why string `json:"why"`
	// Do tells the user what to do about the content.
	Do string `json:"do"`
	// Source is an excerpt of the original text, or "" if there is none.
	Source string `json:"source,omitempty"`
	// Placeholder is true if the page contains a placeholder for the content.
	Placeholder bool `json:"placeholder,omitempty"`
	// Page is the page's file in the new site, or "" if the note isn't about a page.
	Page string `json:"page,omitempty"`
}

// maxNotes is the maximum number of notes, which limits the memory that hostile input can use.
const maxNotes = 200_000

// Failed adds a note that err prevented the import from reading all of file. what describes the content of the file,
// for example "the settings".
func (h *Site) Failed(file, what string, err error) {
	h.Note(Note{File: file, What: what, Why: fmt.Sprint(err), Do: "check the file; only content that could be read was imported"})
}

// Note adds a note. After maxNotes notes, it replaces the last note with a note that the report is full.
func (h *Site) Note(n Note) {
	if len(h.Notes) >= maxNotes {
		h.Notes[len(h.Notes)-1] = Note{What: "the report is full", Why: fmt.Sprintf("it is limited to %d notes", maxNotes), Do: "import parts of the site separately"}
		return
	}
	h.Notes = append(h.Notes, n)
}
