package file

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
)

// Finding is forbidden content in an SVG or another XML file.
type Finding struct {
	// Line and Col are counted from 1. Col counts characters.
	Line, Col int
	// Text describes the problem and its solution.
	Text string
}

// maxFindings is the maximum number of reported findings for one file.
const maxFindings = 20

// Namespaces whose elements can run code in an XML file.
const (
	htmlSpace = "http://www.w3.org/1999/xhtml"
	svgSpace  = "http://www.w3.org/2000/svg"
	mathSpace = "http://www.w3.org/1998/Math/MathML"
)

// IsMarkup reports whether a browser could read data as XML: whether it starts with "<" or looks like UTF-16 or UTF-32.
func IsMarkup(data []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) || bytes.IndexByte(data[:min(len(data), 4)], 0) >= 0 ||
		bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
}

// Scripts finds everything that could run code when a browser opens an SVG at the SVG's own URL: script elements; event
// handlers; URLs that are code or contain a document; style sheets other than CSS; and HTML, which can contain all of
// these. It allows links and pictures from other sites because they run no code on this site. It stops after
// maxFindings findings. It returns an error if the file can't be inspected completely. The caller must not publish such
// a file.
func Scripts(data []byte) ([]Finding, error) {
	d, text, err := vectorDecoder(data)
	if err != nil {
		return nil, err
	}
	s := scrutiny{text: text}
	return s.look(d)
}

// DocumentScripts finds everything that could run code when a browser opens an XML file other than an SVG at the file's
// own URL: scripts in its XHTML, SVG, and MathML elements. Browsers ignore other elements, regardless of their names.
// It reads the file up to the first syntax error or the end of a truncated file. Neither is returned as an error,
// because a browser reads no further. It returns an error if the file can't be inspected for any other reason. The
// caller must not publish such a file.
func DocumentScripts(data []byte) ([]Finding, error) {
	d, text, err := xmlDecoder(data)
	if err != nil {
		return nil, err
	}
	// An unknown entity, such as &nbsp;, doesn't end the inspection.
	d.Strict = false
	s := scrutiny{text: text, document: true}
	found, err := s.look(d)
	if errors.Is(err, errSyntax) || errors.Is(err, ErrCut) {
		err = nil
	}
	return found, err
}

// look reads a file to its end, up to the first syntax error, or until there are maxFindings findings.
func (s *scrutiny) look(d *xml.Decoder) ([]Finding, error) {
	text := s.text
	for rooted := false; len(s.found) < maxFindings; {
		start := int(d.InputOffset())
		token, err := d.Token()
		if errors.Is(err, io.EOF) && rooted {
			break
		}
		if err != nil {
			return s.found, vectorError(err)
		}
		if err := declare(d, text, token); err != nil {
			return s.found, err
		}
		s.tag, s.at = text[start:d.InputOffset()], start
		switch t := token.(type) {
		case xml.StartElement:
			rooted = true
			s.element(t)
		case xml.ProcInst:
			if t.Target == "xml-stylesheet" && !s.document && !bytes.Contains(t.Inst, []byte("text/css")) {
				s.add("", "a style sheet that can run code; save the image without it")
			}
		}
	}
	return s.found, nil
}

// scrutiny is one inspection of an SVG or another XML file.
type scrutiny struct {
	text []byte
	// tag is the source of the current token.
	tag []byte
	// at is the offset of tag in text.
	at    int
	found []Finding
	// document reports whether the file is an XML file other than an SVG, in which only XHTML, SVG, and MathML elements
	// are inspected.
	document bool
}

// runners are the elements that contain or load code or documents. In an SVG, they are forbidden in every namespace.
var runners = map[string]bool{"script": true, "handler": true, "listener": true, "iframe": true, "object": true, "embed": true}

func (s *scrutiny) element(e xml.StartElement) {
	name := strings.ToLower(e.Name.Local)
	name = name[strings.LastIndexByte(name, ':')+1:]
	if space := e.Name.Space; s.document && space != htmlSpace && space != mathSpace && space != svgSpace {
		return
	}
	switch {
	case runners[name]:
		s.add("", "the element <%s>, which can run code; remove it", e.Name.Local)
	case !s.document && (e.Name.Space == htmlSpace || e.Name.Space == mathSpace):
		s.add("", "the element <%s>, which is not SVG; save the image with plain text instead", e.Name.Local)
	}
	for _, a := range e.Attr {
		s.attribute(e, a)
	}
}

func (s *scrutiny) attribute(e xml.StartElement, a xml.Attr) {
	name := strings.ToLower(a.Name.Local)
	name = name[strings.LastIndexByte(name, ':')+1:]
	switch {
	case a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns":
	case isHandler(name):
		s.add(a.Name.Local, "the attribute %s, which runs code; remove it", a.Name.Local)
	case name == "attributename" && isHandler(strings.ToLower(strings.TrimSpace(a.Value))):
		s.add(a.Name.Local, "an animation of %s, which runs code; remove it", strings.TrimSpace(a.Value))
	case runsCode(a.Value):
		s.add(a.Name.Local, "a URL that runs code in the attribute %s; remove it", a.Name.Local)
	case name == "href" && e.Name.Local != "image" && e.Name.Local != "feImage" && isDocument(a.Value):
		s.add(a.Name.Local, "an embedded document in the attribute %s; remove it", a.Name.Local)
	}
}

// isHandler reports whether name, an attribute in lower case, is an event handler.
func isHandler(name string) bool {
	return len(name) > 2 && strings.HasPrefix(name, "on")
}

// runsCode reports whether value contains a URL that runs code. It checks each part between semicolons because
// semicolons separate the values of an animation. Like browsers, it ignores case, white space, and control characters
// in URLs.
func runsCode(value string) bool {
	for part := range strings.SplitSeq(value, ";") {
		if s := scheme(part); s == "javascript" || s == "vbscript" {
			return true
		}
	}
	return false
}

// isDocument reports whether value is a data URL of anything except an image in a format without scripts.
func isDocument(value string) bool {
	return scheme(value) == "data" && !plainData.MatchString(value)
}

var plainData = lazyregexp.New(`(?i)^\s*data:image/(png|jpeg|gif|webp|avif)[;,]`)

// scheme returns the part of value before the first colon, as browsers read it, or "" if there is none.
func scheme(value string) string {
	var name []byte
	for i := 0; i < len(value) && len(name) <= 16; i++ {
		switch c := value[i]; {
		case c <= ' ' || c >= 0x7f:
		case c == ':':
			return strings.ToLower(string(name))
		case c == '/' || c == '?' || c == '#':
			return ""
		default:
			name = append(name, c)
		}
	}
	return ""
}

// add records a finding at the position of an attribute of the current tag, or of the tag if attribute is "".
func (s *scrutiny) add(attribute, format string, values ...any) {
	offset := s.at
	if attribute != "" {
		offset += max(0, bytes.Index(s.tag, []byte(attribute+"=")))
	}
	before := s.text[:offset]
	line := bytes.Count(before, []byte("\n"))
	s.found = append(s.found, Finding{
		Line: line + 1, Col: utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1,
		Text: fmt.Sprintf(format, values...),
	})
}
