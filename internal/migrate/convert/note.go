package convert

import "fmt"

// Note is something that was not carried over as it was.
type Note struct {
	// File is relative to the source, Line counts from 1; 0 where it is about the
	// file as a whole.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// What it is, Why it was not carried over, what to Do.
	What string `json:"what"`
	Why  string `json:"why"`
	Do   string `json:"do"`
	// Source is the text as it was written.
	Source string `json:"source,omitempty"`
	// Placeholder says that the page shows it.
	Placeholder bool `json:"placeholder,omitempty"`
	// Page is the new file.
	Page string `json:"page,omitempty"`
}

// maxNotes bounds what hostile input can fill the memory with.
const maxNotes = 200_000

// Failed is a note about a file as a whole.
func (h *Site) Failed(file, what string, err error) {
	h.Note(Note{File: file, What: what, Why: fmt.Sprint(err), Do: "look at the file; it was carried over as far as it could be read"})
}

// Note reports one loss.
func (h *Site) Note(n Note) {
	if len(h.Notes) >= maxNotes {
		h.Notes[len(h.Notes)-1] = Note{What: "more than the report holds", Why: fmt.Sprintf("there are more than %d notes", maxNotes), Do: "import parts of the site by themselves"}
		return
	}
	h.Notes = append(h.Notes, n)
}
