package markup

import (
	"bytes"
	"strings"
)

// Kind describes which addresses (URLs) an attribute's value contains, and in which syntax.
type Kind uint8

// Kinds of attribute values.
const (
	Text    Kind = iota // no address
	Address             // one address
	List                // addresses separated by white space
	Set                 // image addresses with descriptors, separated by commas
	Meta                // content of a meta element: an address, a refresh, or text
	Style               // CSS
)

// Kind returns the kind of the attribute's value. Only this function lists the attributes that contain addresses.
func (a *Attr) Kind() Kind {
	switch string(a.Name) {
	case "href", "src", "action", "formaction", "poster", "cite", "background", "longdesc", "manifest", "xlink:href",
		"data-index", "data-copy-page", "data-href", "data-src", "data-url":
		return Address
	case "data":
		if string(a.Tag) == "object" {
			return Address
		}
	case "srcset", "imagesrcset", "data-srcset":
		return Set
	case "ping":
		return List
	case "content":
		if string(a.Tag) == "meta" {
			return Meta
		}
	case "style":
		return Style
	}
	return Text
}

// Addresses calls do with the offsets of the addresses in the value, in order, without surrounding white space. The
// offsets are relative to the start of the document.
func (a *Attr) Addresses(do func(begin, end int)) {
	switch a.Kind() {
	case Address:
		a.address(0, len(a.Value), do)
	case List:
		a.list(do)
	case Set:
		a.set(do)
	case Meta:
		a.meta(do)
	case Style:
		CSS(a.Value, func(begin, end int) { do(a.At+begin, a.At+end) })
	}
}

// address calls do with the offsets of Value[begin:end] without surrounding white space, unless nothing remains.
func (a *Attr) address(begin, end int, do func(begin, end int)) {
	for begin < end && isSpace(a.Value[begin]) {
		begin++
	}
	for end > begin && isSpace(a.Value[end-1]) {
		end--
	}
	if begin < end {
		do(a.At+begin, a.At+end)
	}
}

func (a *Attr) list(do func(begin, end int)) {
	for begin := 0; begin < len(a.Value); begin++ {
		end := begin
		for end < len(a.Value) && !isSpace(a.Value[end]) {
			end++
		}
		a.address(begin, end, do)
		begin = end
	}
}

// set calls do for each address in a list of images (HTML, "parsing a srcset attribute"). An address ends at white
// space. A descriptor, such as "2x", follows the address and ends at the next comma. If a comma directly precedes the
// white space, the address ends before the comma and has no descriptor.
func (a *Attr) set(do func(begin, end int)) {
	for at := 0; ; {
		for at < len(a.Value) && (isSpace(a.Value[at]) || a.Value[at] == ',') {
			at++
		}
		begin := at
		for at < len(a.Value) && !isSpace(a.Value[at]) {
			at++
		}
		if begin == at {
			return
		}
		end := begin + len(bytes.TrimRight(a.Value[begin:at], ","))
		a.address(begin, end, do)
		if end < at {
			continue
		}
		// A comma in parentheses does not end a descriptor.
		for depth := 0; at < len(a.Value) && (a.Value[at] != ',' || depth > 0); at++ {
			switch a.Value[at] {
			case '(':
				depth = 1
			case ')':
				depth = 0
			}
		}
	}
}

// meta calls do for the address in the content of a meta element. Content that is text, such as a title, isn't an
// address, even if it looks like a path.
func (a *Attr) meta(do func(begin, end int)) {
	if len(a.Value) > 0 && '0' <= a.Value[0] && a.Value[0] <= '9' {
		if i := strings.Index(strings.ToLower(string(a.Value)), "url="); i > 0 {
			a.address(i+len("url="), len(a.Value), do)
		}
		return
	}
	of := bytes.ToLower(a.Of)
	if i := bytes.LastIndexAny(of, ":."); i >= 0 {
		of = of[i+1:]
	}
	switch string(of) {
	case "title", "description", "site_name", "application-name", "alt", "author", "keywords", "tag", "section":
		return
	}
	if !bytes.ContainsAny(a.Value, " \n") {
		a.address(0, len(a.Value), do)
	}
}

// HTML calls do with the offsets of the addresses in a document's attributes and style elements, in order.
func HTML(html []byte, do func(begin, end int)) {
	scan(html, func(a *Attr) { a.Addresses(do) }, func(begin, end int) {
		CSS(html[begin:end], func(b, e int) { do(begin+b, begin+e) })
	})
}

// Rewrite appends text, with its addresses replaced, to out and returns the result. find is the function HTML or CSS.
// The function address must append the replacement for an address to out and return the result.
func Rewrite(out, text []byte, find func(text []byte, do func(begin, end int)), address func(out, address []byte) []byte) []byte {
	from := 0
	find(text, func(begin, end int) {
		out = address(append(out, text[from:begin]...), text[begin:end])
		from = end
	})
	return append(out, text[from:]...)
}

// IsPath reports whether an address is a path from the root of the host, such as "/docs". An address that starts with
// "//" isn't a path, because it contains a host.
func IsPath(address []byte) bool {
	return len(address) > 0 && address[0] == '/' && (len(address) == 1 || address[1] != '/')
}
