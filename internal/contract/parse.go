package contract

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
)

// Load parses every .txt file of a folder and returns them in playing order: sorted by name, with the files marked
// "plays last" at the end. If some files are invalid, it returns the other files and the joined errors of the invalid
// files.
func Load(fsys fs.FS) ([]*File, error) {
	names, err := fs.Glob(fsys, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("listing exchanges: %w", err)
	}
	var files []*File
	var failed []error
	for _, name := range names {
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("reading exchanges: %w", err)
		}
		f, err := Parse(name, source)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b *File) int {
		switch {
		case a.Last == b.Last:
			return 0
		case a.Last:
			return 1
		}
		return -1
	})
	return files, errors.Join(failed...)
}

// Parse reads a file of exchanges. Its error has one line for each mistake: "name:line: text".
func Parse(name string, source []byte) (*File, error) {
	p := &parser{file: &File{Name: name}}
	for _, l := range lines(string(source)) {
		if err := p.line(l); err != nil {
			p.failed = append(p.failed, fmt.Errorf("%s:%d: %w", name, l.number, err))
		}
	}
	p.endCase()
	if len(p.failed) > 0 {
		return nil, errors.Join(p.failed...)
	}
	return p.file, nil
}

// line is a line of an exchange file, with the block that follows it.
type line struct {
	number int
	text   string
	block  string // each line ends with a line feed; "" if there is no block
	// after reports whether the line follows an empty line or a heading, or is the first line of the file.
	after bool
}

// lines splits a file into its lines, without comments or empty lines.
func lines(source string) []line {
	var all []line
	after := true
	number := 0
	for s := range strings.Lines(source) {
		number++
		s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
		inner, indented := strings.CutPrefix(s, "\t")
		switch s = strings.TrimRight(s, " \t"); {
		case indented && !after && len(all) > 0:
			all[len(all)-1].block += inner + "\n"
		case s == "":
			after = true
		case !strings.HasPrefix(s, "#"):
			all = append(all, line{number: number, text: s, after: after})
			after = strings.HasPrefix(s, "== ")
		}
	}
	return all
}

// parser parses one file of exchanges, line by line. current and exchange are the case and the exchange that the next
// line may belong to, or nil.
type parser struct {
	file     *File
	current  *Case
	exchange *Exchange
	// known lists the names of the values that earlier steps of the current case keep.
	known  []string
	failed []error
}

var requestLine = lazyregexp.New(`^([A-Z]+) (\S+)$`)
var fieldLine = lazyregexp.New("^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$")

func (p *parser) line(l line) error {
	word, rest, _ := strings.Cut(l.text, " ")
	switch {
	case l.block != "" && !slices.Contains([]string{"raw", "sends", "header", "body", "decoded", "json", "kept"}, word):
		return fmt.Errorf("a block is not allowed under %q", l.text)
	case word == "==":
		p.endCase()
		p.current = &Case{Title: strings.TrimSpace(rest), Line: l.number}
		p.known = nil
		return nil
	case p.current == nil:
		return p.fileLine(l, word, rest)
	case l.after && len(p.current.Claims) == 0:
		return p.proves(word, rest)
	case l.after:
		p.endExchange()
		p.exchange = &Exchange{Line: l.number}
	case p.exchange == nil:
		return p.needs(&p.current.Needs, word, rest)
	}
	if p.exchange.Request.raw == "" && p.exchange.Request.method == "" {
		return p.start(l, word, rest)
	}
	if p.exchange.Status == 0 {
		return p.requestLine(l, word, rest)
	}
	s, err := p.step(l)
	if err != nil {
		return err
	}
	p.exchange.Steps = append(p.exchange.Steps, s)
	return nil
}

// proves parses the line after a heading. It returns an error if the line doesn't list the claims that the case proves.
func (p *parser) proves(word, rest string) error {
	p.current.Claims = strings.Fields(rest)
	if word != "proves" || rest == "" {
		p.current.Claims = []string{"?"} // so that the case's other lines don't repeat the error
		return fmt.Errorf("list the claims that the case proves below its heading")
	}
	return nil
}

// fileLine parses a line before the first case.
func (p *parser) fileLine(l line, word, rest string) error {
	if word == "plays" && rest == "last" {
		p.file.Last = true
		return nil
	}
	if word == "always" {
		l.text = rest
		s, err := p.step(l)
		if err != nil {
			return err
		}
		p.file.Always = append(p.file.Always, s)
		return nil
	}
	return p.needs(&p.file.Needs, word, rest)
}

// needs parses a line that starts with the word "needs" and appends the need to into. It returns an error for any other
// line.
func (p *parser) needs(into *[]Need, word, rest string) error {
	if word != "needs" {
		return fmt.Errorf("%q is not allowed here; start each case with == and a title, and each exchange with a blank line", word)
	}
	n := Need{}
	rest, n.Not = strings.CutPrefix(rest, "no ")
	if m := placeholder.FindStringSubmatch(rest); m != nil && m[0] == rest && !n.Not {
		n.Value = m[1]
	} else if n.Capability = Capability(rest); !slices.Contains(Capabilities(), n.Capability) {
		return fmt.Errorf("unknown capability %q; want one of %v", rest, Capabilities())
	}
	if n.Value != "" && !slices.Contains(siteValues(), n.Value) {
		return fmt.Errorf("unknown value {%s}; want one of %v", n.Value, siteValues())
	}
	*into = append(*into, n)
	return nil
}

// start parses a line at the start of an exchange: a "repeat" line, a "needs" line, or the first line of the request.
func (p *parser) start(l line, word, rest string) error {
	e := p.exchange
	switch m := requestLine.FindStringSubmatch(l.text); {
	case word == "repeat":
		e.repeat = text(rest)
		return p.check(e.repeat)
	case word == "needs":
		return p.needs(&e.Needs, word, rest)
	case l.text == "raw" && l.block != "":
		e.Line = l.number
		e.Request.raw = text(strings.ReplaceAll(l.block, "\n", "\r\n") + "\r\n")
		return p.check(e.Request.raw)
	case m != nil:
		e.Line = l.number
		e.Request.method, e.Request.target = m[1], text(m[2])
		return p.check(e.Request.target)
	}
	e.Request.method = "?" // so that the exchange's other lines don't repeat the error
	return fmt.Errorf("%q is not a request; write a method and a target, or \"raw\" followed by a block", l.text)
}

// requestLine parses a line between the first line of a request and the checks: a header field, the body, or the
// expected status.
func (p *parser) requestLine(l line, word, rest string) error {
	r := &p.exchange.Request
	if m := fieldLine.FindStringSubmatch(l.text); m != nil {
		if r.raw != "" {
			return fmt.Errorf("the header fields of a raw request belong in its block")
		}
		r.fields = append(r.fields, field{m[1], text(m[2])})
		return p.check(text(m[2]))
	}
	switch word {
	case "sends":
		r.body = text(rest + l.block)
		return p.check(r.body)
	case "answers":
		status := atoi(rest)
		if status < 200 || status > 599 {
			return fmt.Errorf("%q is not a final status code; write a number from 200 to 599", rest)
		}
		p.exchange.Status, p.exchange.StatusLine = status, l.number
		return nil
	}
	return fmt.Errorf("cannot parse %q; write a header field or a line that starts with \"sends\" or \"answers\"", l.text)
}

// check returns an error if t names a value that is neither a site value nor kept by an earlier step.
func (p *parser) check(t text) error {
	for _, name := range t.names() {
		if name != "BASE" && name != "HOST" && name != "MOUNT" && !slices.Contains(siteValues(), name) && !slices.Contains(p.known, name) {
			return fmt.Errorf("{%s} is neither a site value nor kept by an earlier step", name)
		}
	}
	return nil
}

// endExchange adds the current exchange to its case, and records an error if the exchange has no expected status.
func (p *parser) endExchange() {
	if e := p.exchange; e != nil {
		p.current.Exchanges = append(p.current.Exchanges, e)
		if e.Status == 0 && e.Request.method != "?" {
			p.failed = append(p.failed, fmt.Errorf("%s:%d: the exchange has no expected response", p.file.Name, e.Line))
		}
	}
	p.exchange = nil
}

// endCase adds the current case to the file, and records an error if the case has no exchange.
func (p *parser) endCase() {
	p.endExchange()
	if c := p.current; c != nil {
		p.file.Cases = append(p.file.Cases, c)
		if len(c.Exchanges) == 0 {
			p.failed = append(p.failed, fmt.Errorf("%s:%d: the case has no exchanges", p.file.Name, c.Line))
		}
	}
	p.current = nil
}
