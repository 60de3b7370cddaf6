package file

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vitrine/internal/lazyregexp"
)

// MaxVector is the maximum size in bytes of an SVG to inspect. Larger files are rejected.
const MaxVector = 8 << 20

// isSVG reports whether data starts with an XML declaration, a comment, an SVG doctype, or an svg element.
func isSVG(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("<?xml")) || bytes.HasPrefix(data, []byte("<svg")) ||
		bytes.HasPrefix(data, []byte("<!--")) || bytes.HasPrefix(data, []byte("<!DOCTYPE svg")) ||
		isPrefixedRoot.Match(data[:min(len(data), 64)])
}

// isPrefixedRoot matches the start of an SVG whose namespace has a prefix.
var isPrefixedRoot = lazyregexp.New(`^<[A-Za-z][\w.-]*:svg[\s>]`)

// inspectSVG reads the size of an SVG from its root element: from its width and height (SVG 2, §8.2), or from its
// viewBox if they aren't usable.
func inspectSVG(data []byte) (Info, error) {
	info := Info{Fixed: "it is an SVG"}
	d, text, err := vectorDecoder(data)
	if err != nil {
		return info, err
	}
	for {
		token, err := d.Token()
		if err != nil {
			return info, vectorError(err)
		}
		if err := declare(d, text, token); err != nil {
			return info, err
		}
		if root, ok := token.(xml.StartElement); ok {
			if root.Name.Local != "svg" {
				return info, fmt.Errorf("its root element is <%s>, not <svg>", root.Name.Local)
			}
			info.Width, info.Height = vectorSize(root.Attr)
			return info, nil
		}
	}
}

// vectorSize returns the size of an SVG in CSS pixels, or zeros if the SVG has no size. If only one side is given, the
// viewBox determines the other side.
func vectorSize(attributes []xml.Attr) (width, height int) {
	var w, h, boxWidth, boxHeight float64
	for _, a := range attributes {
		switch a.Name.Local {
		case "width":
			w = cssPixels(a.Value)
		case "height":
			h = cssPixels(a.Value)
		case "viewBox":
			boxWidth, boxHeight = viewBox(a.Value)
		}
	}
	// Round each operation separately so that all processors give the same result.
	switch {
	case w > 0 && h > 0:
	case boxWidth <= 0 || boxHeight <= 0:
		return 0, 0
	case w > 0:
		h = float64(w*boxHeight) / boxWidth
	case h > 0:
		w = float64(h*boxWidth) / boxHeight
	default:
		w, h = boxWidth, boxHeight
	}
	return whole(w), whole(h)
}

// whole rounds a length to an integer from 1 to the maximum for an image's width and height attributes.
func whole(length float64) int {
	const most = 1 << 20
	return max(1, int(min(length, most)+.5))
}

// cssUnits maps the absolute units to their lengths in CSS pixels (CSS Values 4, §6.2).
var cssUnits = map[string]float64{"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96. / 72, "pc": 16, "q": 96 / 101.6}

// cssPixels parses a length. It returns 0 for an invalid length or a relative length, such as a percentage.
func cssPixels(length string) float64 {
	length = strings.ToLower(strings.TrimSpace(length))
	number := strings.TrimRight(length, "abcdefghijklmnopqrstuvwxyz%")
	unit, known := cssUnits[length[len(number):]]
	value, err := strconv.ParseFloat(number, 64)
	if !known || err != nil || !(value > 0) || value > 1e9 {
		return 0
	}
	return float64(value * unit)
}

// viewBox returns the last two numbers of a viewBox, its width and height (SVG 2, §8.6). It returns zeros for an
// invalid viewBox.
func viewBox(value string) (width, height float64) {
	numbers := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	if len(numbers) != 4 {
		return 0, 0
	}
	return cssPixels(numbers[2]), cssPixels(numbers[3])
}

// vectorDecoder returns a decoder for an SVG and the decoder's input, as xmlDecoder does. It returns an error if the
// SVG is larger than MaxVector.
func vectorDecoder(data []byte) (*xml.Decoder, []byte, error) {
	if len(data) > MaxVector {
		return nil, nil, fmt.Errorf("its size of %d KiB exceeds the limit of %d KiB", len(data)>>10, MaxVector>>10)
	}
	return xmlDecoder(data)
}

// xmlDecoder returns a decoder for an XML file and the decoder's input, which is the file converted to UTF-8. It
// returns an error for an unsupported or invalid encoding.
func xmlDecoder(data []byte) (*xml.Decoder, []byte, error) {
	text, err := vectorText(data)
	if err != nil {
		return nil, nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	// The text is UTF-8 here, so the declared encoding doesn't matter.
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	d.Entity = make(map[string]string)
	return d, text, nil
}

var encodingOf = lazyregexp.New(`^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']`)

// vectorText converts an XML file to UTF-8 from the encodings that drawing programs write. It rejects any other
// encoding because such a file can't be inspected.
func vectorText(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	name := "utf-8"
	if m := encodingOf.FindSubmatch(data[:min(len(data), 256)]); m != nil {
		name = strings.ToLower(string(m[1]))
	}
	switch name {
	case "utf-8", "utf8", "us-ascii", "ascii":
	case "iso-8859-1", "latin1", "windows-1252":
		return charmap.Windows1252.NewDecoder().Bytes(data)
	default:
		return nil, fmt.Errorf("it is encoded in %s; save it as UTF-8", name)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("it contains bytes that are not UTF-8; save it as UTF-8")
	}
	return data, nil
}

// errSyntax is wrapped by the error for a file that isn't well-formed XML.
var errSyntax = errors.New("is not well formed")

// vectorError converts an error of the XML decoder to a message for users: ErrCut for the end of the file, and an error
// that wraps errSyntax for a syntax error. It returns any other error unchanged.
func vectorError(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return ErrCut
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d %w: %s", syntax.Line, errSyntax, syntax.Msg)
	}
	return err
}

// entityOf matches the declaration of an entity whose value is plain text. Some drawing programs use such entities for
// namespace names. The expression is compiled at its first use because compiling it takes a millisecond.
var entityOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]{0,99})\s+(?:"([^"<&%]{0,200})"|'([^'<&%]{0,200})')\s*>`)
})

// anyHidden matches the start of every declaration of an entity or of default attribute values.
var anyHidden = lazyregexp.New(`(?i)<!(ENTITY|ATTLIST)`)

// maxEntities is the maximum number of bytes that an SVG's entities expand to.
const maxEntities = 1 << 20

// maxName is the maximum length of an entity reference without its "&": a name of 100 characters and a semicolon.
const maxName = 101

// declare records the entities in token if it is a document type declaration. text is the complete input. declare
// rejects default attribute values and entities that expand to markup, another file, or other entities, because the
// decoder doesn't report the content that they add. It also rejects entities that expand to more than maxEntities
// bytes, and a second declaration with entities, which is never valid.
func declare(d *xml.Decoder, text []byte, token xml.Token) error {
	directive, ok := token.(xml.Directive)
	if !ok {
		return nil
	}
	plain := entityOf().FindAllSubmatch(directive, -1)
	if len(plain) != len(anyHidden.FindAll(directive, -1)) || len(plain) > 0 && len(d.Entity) > 0 {
		return errors.New("its DOCTYPE declares entities or default attributes, whose content cannot be checked; save it without them")
	}
	for _, m := range plain {
		d.Entity[string(m[1])] = string(m[2]) + string(m[3])
	}
	if size := expansion(text, d.Entity); size > maxEntities {
		return fmt.Errorf("its entities expand to %d KiB of text, and the maximum is %d KiB; save it without them", size>>10, maxEntities>>10)
	}
	return nil
}

// expansion returns the number of bytes that the entity references in text expand to.
func expansion(text []byte, entities map[string]string) (size int) {
	if len(entities) == 0 {
		return 0
	}
	for {
		_, after, found := bytes.Cut(text, []byte("&"))
		if !found {
			return size
		}
		end := bytes.IndexAny(after[:min(len(after), maxName)], ";&<")
		if end > 0 && after[end] == ';' {
			size += len(entities[string(after[:end])])
		}
		text = after
	}
}
