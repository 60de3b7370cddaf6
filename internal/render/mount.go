package render

import (
	"bytes"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/readers"
	"vitrine/internal/site"
)

// Mount puts the path that a site stands below, such as "/acorn", before every address on the site that resources have:
// in their fields, in HTML, in stylesheets, in robots.txt and in the file by which a search begins. It is the one place
// where that is done: whatever is rendered has paths from the site's home page on, "/pricing", as templates and editors
// write them. What is absolute ("https://user.example/acorn/pricing") has the path from the settings. Files that editors
// publish as they stand are not given to it.
func Mount(mount string, resources []artifact.Resource) {
	if mount == "" {
		return
	}
	for i := range resources {
		r := &resources[i]
		if isPath(r.Location) {
			r.Location = mount + r.Location
		}
		bodies := make(map[*byte][]byte, 1)
		for j := range r.Variants {
			v := &r.Variants[j]
			v.Fields = mountFields(mount, v.Fields)
			if len(v.Body) == 0 {
				continue
			}
			// Variants that share a file share its bytes.
			first := &v.Body[0]
			if _, done := bodies[first]; !done {
				bodies[first] = mountBody(mount, r.Path, v)
			}
			v.Body = bodies[first]
		}
	}
}

// MountOf is the resource that keeps in a build where its site stands.
func MountOf(mount string) artifact.Resource {
	return artifact.Resource{Path: artifact.MountName, Kind: artifact.KindFallback, Location: mount}
}

// OptionsOf are the resources that keep in a build what its site has chosen.
func OptionsOf(c *site.Config) (options []artifact.Resource) {
	if c.ReprDigest {
		options = append(options, artifact.Resource{Path: artifact.OptionPrefix + artifact.OptionReprDigest, Kind: artifact.KindFallback})
	}
	if c.AgentsGetMarkdown {
		options = append(options, artifact.OptionOfAgents(readers.Words()))
	}
	return options
}

// isPath reports whether an address is a path on the site, and not one of another host.
func isPath[T string | []byte](address T) bool {
	return len(address) > 0 && address[0] == '/' && (len(address) == 1 || address[1] != '/')
}

// mountFields copies fields of which one has to be changed: pages share them.
func mountFields(mount string, fields []artifact.Field) []artifact.Field {
	copied := false
	for i, f := range fields {
		if f.Name != "Link" || !strings.Contains(f.Value, "</") {
			continue
		}
		if !copied {
			fields, copied = append([]artifact.Field(nil), fields...), true
		}
		// A target stands in angle brackets, which nothing else of the field has (RFC 8288 §3).
		fields[i].Value = strings.ReplaceAll(f.Value, "</", "<"+mount+"/")
	}
	return fields
}

func mountBody(mount, path string, v *artifact.Variant) []byte {
	kind, _, _ := strings.Cut(v.MediaType(), ";")
	switch {
	case kind == "text/html", kind == "image/svg+xml":
		return mountHTML(mount, v.Body)
	case kind == "text/css":
		return mountCSS(make([]byte, 0, len(v.Body)+256), mount, v.Body)
	case path == plan.RobotsPath:
		return mountRules(mount, v.Body)
	case kind == typeJSON && strings.HasSuffix(path, plan.SearchIndexPath):
		// Its members are addresses and numbers.
		return bytes.ReplaceAll(v.Body, []byte(`":"/`), []byte(`":"`+mount+`/`))
	}
	return v.Body
}

// mountRules writes the rules of robots.txt, whose paths begin at the root of the host (RFC 9309 §2.2.2).
func mountRules(mount string, text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		name, path, ok := bytes.Cut(line, []byte(":"))
		if rule := bytes.TrimSpace(name); ok && (bytes.EqualFold(rule, []byte("allow")) || bytes.EqualFold(rule, []byte("disallow"))) && isPath(bytes.TrimSpace(path)) {
			line = []byte(string(name) + ": " + mount + string(bytes.TrimLeft(path, " \t")))
		}
		out = append(out, line...)
	}
	return out
}

// mountHTML changes the addresses in a document's attributes and styles. What is in scripts is theirs.
func mountHTML(mount string, text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/16+64)
	for len(text) > 0 {
		at := bytes.IndexByte(text, '<')
		if at < 0 || at+1 == len(text) {
			break
		}
		out = append(out, text[:at]...)
		text = text[at:]
		switch c := text[1] | 0x20; {
		case bytes.HasPrefix(text, []byte("<!--")):
			out, text = upTo(out, text, "-->")
		case c >= 'a' && c <= 'z':
			var name string
			if out, text, name = mountTag(out, mount, text); name == "script" || name == "style" {
				end := indexFold(text, "</"+name)
				if name == "style" {
					out = mountCSS(out, mount, text[:end])
				} else {
					out = append(out, text[:end]...)
				}
				text = text[end:]
			}
		default:
			out, text = append(out, '<'), text[1:]
		}
	}
	return append(out, text...)
}

// upTo copies a text up to the end of a mark, or all of it.
func upTo(out, text []byte, mark string) (copied, rest []byte) {
	end := len(text)
	if i := bytes.Index(text, []byte(mark)); i >= 0 {
		end = i + len(mark)
	}
	return append(out, text[:end]...), text[end:]
}

// indexFold is where a mark of small letters begins, in letters of any case; the text's end where it does not stand there.
func indexFold(text []byte, mark string) int {
	for at := 0; at+len(mark) <= len(text); at++ {
		if text[at]|0x20 == mark[0]|0x20 && bytes.EqualFold(text[at:at+len(mark)], []byte(mark)) {
			return at
		}
	}
	return len(text)
}

// mountTag copies a tag, whose attributes with addresses get the mount.
func mountTag(out []byte, mount string, text []byte) (copied, rest []byte, tag string) {
	at := 1
	for at < len(text) && !isSpace(text[at]) && text[at] != '>' && text[at] != '/' {
		at++
	}
	tag = string(bytes.ToLower(text[1:at]))
	from := 0
	for at < len(text) && text[at] != '>' {
		if isSpace(text[at]) || text[at] == '/' {
			at++
			continue
		}
		begin := at
		for at < len(text) && !isSpace(text[at]) && text[at] != '=' && text[at] != '>' && text[at] != '/' {
			at++
		}
		name := text[begin:at]
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		if at == len(text) || text[at] != '=' {
			if at == begin {
				at++ // an equals sign that follows no name
			}
			continue
		}
		at++
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		value, end := attributeValue(text, at)
		if change := changeOf(tag, name); change != nil && len(value) > 0 {
			start := end - len(value)
			if end > at && (text[at] == '"' || text[at] == '\'') {
				start--
			}
			out = append(out, text[from:start]...)
			out = change(out, mount, value)
			from = start + len(value)
		}
		at = end
	}
	if at < len(text) {
		at++
	}
	return append(out, text[from:at]...), text[at:], tag
}

// attributeValue reads what follows an equals sign: the value without its quotes, and where it ends with them.
func attributeValue(text []byte, at int) (value []byte, end int) {
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		if i := bytes.IndexByte(text[at+1:], text[at]); i >= 0 {
			return text[at+1 : at+1+i], at + 2 + i
		}
		return nil, len(text)
	}
	for end = at; end < len(text) && !isSpace(text[end]) && text[end] != '>'; end++ {
	}
	return text[at:end], end
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// change appends an attribute's value with the mount.
type change func(out []byte, mount string, value []byte) []byte

// changeOf is how the value of an attribute is changed; nil for one that is no address.
func changeOf(tag string, name []byte) change {
	switch strings.ToLower(string(name)) {
	case "href", "src", "action", "formaction", "poster", "cite", "background", "longdesc", "manifest", "xlink:href",
		"data-index", "data-copy-page", "data-href", "data-src", "data-url":
		return mountAddress
	case "data":
		if tag == "object" {
			return mountAddress
		}
	case "content":
		if tag == "meta" {
			return mountMeta
		}
	case "srcset", "imagesrcset", "data-srcset":
		return mountSet
	case "ping":
		return mountWords
	case "style":
		return mountCSS
	}
	return nil
}

func mountAddress(out []byte, mount string, value []byte) []byte {
	blank := len(value) - len(bytes.TrimLeft(value, " \n\t\r\f"))
	if isPath(value[blank:]) {
		return append(append(append(out, value[:blank]...), mount...), value[blank:]...)
	}
	return append(out, value...)
}

// mountMeta changes what a meta element says: an address, or after how many seconds to go where.
func mountMeta(out []byte, mount string, value []byte) []byte {
	if i := indexFold(value, "url="); i < len(value) && i > 0 && value[0] >= '0' && value[0] <= '9' {
		return mountAddress(append(out, value[:i+4]...), mount, value[i+4:])
	}
	if bytes.ContainsAny(value, " \n") {
		return append(out, value...)
	}
	return mountAddress(out, mount, value)
}

func mountWords(out []byte, mount string, value []byte) []byte {
	for i, word := range bytes.Split(value, []byte(" ")) {
		if i > 0 {
			out = append(out, ' ')
		}
		out = mountAddress(out, mount, word)
	}
	return out
}

// mountSet changes a list of images (HTML, "parsing a srcset attribute"): an address ends with white space, or with commas
// where no description follows; a description ends with a comma.
func mountSet(out []byte, mount string, value []byte) []byte {
	for len(value) > 0 {
		skip := len(value) - len(bytes.TrimLeft(value, ", \n\t\r\f"))
		out, value = append(out, value[:skip]...), value[skip:]
		end := bytes.IndexAny(value, " \n\t\r\f")
		if end < 0 {
			end = len(value)
		}
		if end == 0 {
			break
		}
		out = mountAddress(out, mount, value[:end])
		ended := value[end-1] == ','
		if value = value[end:]; ended {
			continue
		}
		comma := bytes.IndexByte(value, ',')
		if comma < 0 {
			comma = len(value)
		}
		out, value = append(out, value[:comma]...), value[comma:]
	}
	return out
}

// mountCSS changes the addresses of a stylesheet: url(…) with quotes and without, and @import "…". Comments and other
// strings stay.
func mountCSS(out []byte, mount string, text []byte) []byte {
	importing := false
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '/' && at+1 < len(text) && text[at+1] == '*':
			end := len(text)
			if i := bytes.Index(text[at+2:], []byte("*/")); i >= 0 {
				end = at + 2 + i + 2
			}
			out, at = append(out, text[at:end]...), end
		case c == '"' || c == '\'':
			end := stringEnd(text, at)
			if importing {
				out = append(out, c)
				out = mountAddress(out, mount, text[at+1:end])
			} else {
				out = append(out, text[at:end]...)
			}
			importing, at = false, end
		case c == ';':
			importing, out, at = false, append(out, c), at+1
		case c == '@' && bytes.EqualFold(text[at:min(at+7, len(text))], []byte("@import")):
			importing, out, at = true, append(out, text[at:at+7]...), at+7
		case (c == 'u' || c == 'U') && bytes.EqualFold(text[at:min(at+4, len(text))], []byte("url(")):
			importing = false
			begin := at + 4
			for begin < len(text) && (isSpace(text[begin]) || text[begin] == '"' || text[begin] == '\'') {
				begin++
			}
			out = append(out, text[at:begin]...)
			end := begin
			for end < len(text) && text[end] != ')' && text[end] != '"' && text[end] != '\'' {
				end++
			}
			out, at = mountAddress(out, mount, text[begin:end]), end
			if at < len(text) && text[at] != ')' {
				out, at = append(out, text[at]), at+1 // the quote that ends it begins no string
			}
		default:
			out, at = append(out, c), at+1
		}
	}
	return out
}

// stringEnd is where a string of CSS that begins at a place has ended, with its quote.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		case '\n':
			return i // a string that nothing closes ends with its line
		}
	}
	return len(text)
}
