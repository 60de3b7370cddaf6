package contract

import (
	"slices"
	"strings"
)

// File is a text file of exchanges about one subject.
type File struct {
	Name string
	// Last reports whether the file is played after all files without Last.
	Last  bool
	Needs []Need
	// Always lists the checks that apply to every response of the file.
	Always []Step
	Cases  []*Case
}

// Case is a sequence of exchanges that proves claims of the contract.
type Case struct {
	Title string
	// Line is the line number of the heading.
	Line int
	// Claims lists the IDs of the claims that the case proves, such as "W1-15".
	Claims    []string
	Needs     []Need
	Exchanges []*Exchange
}

// Exchange is one request with the expectations for its response.
type Exchange struct {
	// Line is the line number of the request.
	Line    int
	Needs   []Need
	Request Request
	// Status is the expected status code, and StatusLine is the number of the line that specifies it.
	Status, StatusLine int
	Steps              []Step
	// repeat is the number of times that the request is sent. "" means once.
	repeat text
}

// Request is a request as written in a file, before its placeholders are filled in.
type Request struct {
	method string
	target text
	fields []field
	body   text
	raw    text // the complete header section of a raw request, or ""
}

// field is a header field of a request.
type field struct {
	name  string
	value text
}

// Step is a line after the expected status. It checks the response or keeps a value from it.
type Step struct {
	Line int
	// Text is the line as written in the file.
	Text string
	run  func(*Answer, *values) error
}

// Need is a condition on the target: a capability that it must or must not have, or a value that it must know.
type Need struct {
	Capability Capability
	Not        bool
	Value      string
}

// String returns the need as written in a file, without the word "needs".
func (n Need) String() string {
	switch {
	case n.Value != "":
		return "{" + n.Value + "}"
	case n.Not:
		return "no " + string(n.Capability)
	}
	return string(n.Capability)
}

// isOperation reports whether requests for target count toward the allowance.
func isOperation(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	switch path {
	case "/api", "/api/marketing", "/api/v1/marketing":
		return true
	}
	return false
}

// Exchanges returns the number of exchanges in the file.
func (f *File) Exchanges() int {
	n := 0
	for _, c := range f.Cases {
		n += len(c.Exchanges)
	}
	return n
}

// Counted returns how many of the file's requests are certain to count toward the allowance. If the number of
// repetitions is a kept value, it is unknown in advance, so Counted counts the request once.
func (f *File) Counted() int {
	n := 0
	for _, c := range f.Cases {
		for _, e := range c.Exchanges {
			if isOperation(e.Request.path()) {
				n += max(1, atoi(string(e.repeat)))
			}
		}
	}
	return n
}

// needsFresh reports whether the file or one of its cases requires an unused allowance. It doesn't consider the needs
// of exchanges.
func (f *File) needsFresh() bool {
	fresh := func(n Need) bool { return n.Capability == Fresh && !n.Not }
	return slices.ContainsFunc(f.Needs, fresh) ||
		slices.ContainsFunc(f.Cases, func(c *Case) bool { return slices.ContainsFunc(c.Needs, fresh) })
}

// path returns the target of a request. The target of a raw request is in the request's first line. If that line has no
// target, path returns "".
func (r Request) path() string {
	if r.raw == "" {
		return string(r.target)
	}
	words := strings.Fields(string(r.raw))
	if len(words) < 2 {
		return ""
	}
	return strings.TrimPrefix(words[1], "http://{HOST}")
}
