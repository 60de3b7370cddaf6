package apidoc

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// document is a parsed file.
type document struct {
	// name is the path of the file, relative to the site's root.
	name string
	root *tree.Node
}

// value is a value in a document.
type value struct {
	in *document
	*tree.Node
}

// reader reads a description and the files that it references, and collects all problems.
type reader struct {
	// other is Source.Read.
	other func(string) ([]byte, error)
	// documents contains the files that were read. A nil document can't be read.
	documents map[string]*document
	// members contains the members of large maps that references lead through.
	members map[*tree.Node]map[string]*tree.Node
	// schemas, bodies, and parameters contain the decoded values by their nodes.
	schemas    map[*tree.Node]*schema
	bodies     map[*tree.Node]*body
	parameters map[*tree.Node]*parameter
	// pending contains the schemas that must still be decoded.
	pending []pendingSchema
	// security contains the names of the API's security schemes.
	security []string
	// siblings reports whether a reference can have other members; see refinement.
	siblings    bool
	refinements map[*schema]*refinement
	problems    []site.Problem
	// known is the set of problems, as text.
	known map[string]bool
}

// read reads the description in f. other is Source.Read. If there are problems, the description is nil.
func read(f File, other func(string) ([]byte, error)) (*description, []site.Problem) {
	r := &reader{
		other: other, documents: make(map[string]*document), members: make(map[*tree.Node]map[string]*tree.Node),
		schemas: make(map[*tree.Node]*schema), bodies: make(map[*tree.Node]*body), parameters: make(map[*tree.Node]*parameter),
		refinements: make(map[*schema]*refinement), known: make(map[string]bool),
	}
	main := r.parse(f.Name, f.Text)
	if main == nil || !r.check(value{main, main.root}) {
		return nil, r.problems
	}
	r.siblings = !strings.HasPrefix(main.root.Get("openapi").Value.Text, "3.0")
	d := r.description(value{main, main.root})
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return d, nil
}

// parse parses a file. It returns nil if the file has a syntax error.
func (r *reader) parse(name string, text []byte) *document {
	root, faults := tree.Large(text)
	d := &document{name, root}
	for _, fault := range faults {
		r.faultAt(d, fault.Pos, "%s", fault.Text)
	}
	if len(faults) > 0 {
		d = nil
	}
	r.documents[name] = d
	return d
}

// fault adds a problem at v.
func (r *reader) fault(v value, format string, args ...any) {
	r.faultAt(v.in, v.Pos, format, args...)
}

// faultAt adds a problem, unless it was added before, because several references lead to its value.
func (r *reader) faultAt(in *document, at site.Pos, format string, args ...any) {
	p := site.Problem{Path: in.name, Pos: at, Severity: site.Error, Code: rule.Description, Text: fmt.Sprintf(format, args...)}
	if line := p.String(); !r.known[line] {
		r.known[line] = true
		r.problems = append(r.problems, p)
	}
}

// check reports whether the document is an OpenAPI description of a supported version. It adds a problem if it isn't.
func (r *reader) check(root value) bool {
	start := site.Pos{Line: 1, Col: 1}
	if root.Kind != tree.Map {
		r.faultAt(root.in, start, "want an OpenAPI description with openapi, info, and paths; found %s", root.Describe())
		return false
	}
	version := root.Get("openapi")
	switch {
	case version == nil && root.Get("swagger") != nil:
		r.faultAt(root.in, root.Get("swagger").Pos, "this is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1")
	case version == nil:
		r.faultAt(root.in, start, `openapi is missing; write "openapi: 3.1.0"`)
	case !strings.HasPrefix(version.Value.Text, "3.0") && !strings.HasPrefix(version.Value.Text, "3.1"):
		r.faultAt(root.in, version.Value.Pos, "openapi: want 3.0 or 3.1, found %s", version.Value.Describe())
	case root.Get("paths") == nil && root.Get("webhooks") == nil:
		r.faultAt(root.in, start, "paths is missing; add the paths of the API with their operations")
	}
	return len(r.problems) == 0
}

// follow follows v while it is a reference and not known. It returns the references and the value they lead to. ok is
// false if there is no such value; follow then adds a problem.
func (r *reader) follow(v value, known func(*tree.Node) bool) (references []value, target value, ok bool) {
	visited := make(map[*tree.Node]bool)
	for {
		ref := v.reference()
		if ref == nil || known(v.Node) {
			return references, v, true
		}
		if visited[v.Node] {
			r.fault(value{references[0].in, references[0].reference()}, "this reference leads back to itself; correct the $ref")
			return references, v, false
		}
		visited[v.Node], references = true, append(references, v)
		if v, ok = r.lookUp(value{v.in, ref}); !ok {
			return references, v, false
		}
	}
}

// reference returns the text of $ref, or nil if v isn't a reference. A property may be called $ref, but its value is a
// map.
func (v value) reference() *tree.Node {
	if v.Kind != tree.Map {
		return nil
	}
	if ref := v.Get("$ref"); ref != nil && ref.Value.Kind == tree.Text {
		return ref.Value
	}
	return nil
}

// lookUp returns the value that a reference such as parts/order.yaml#/Order names.
func (r *reader) lookUp(ref value) (value, bool) {
	file, pointer, _ := strings.Cut(ref.Text, "#")
	in := ref.in
	if file != "" {
		if in = r.file(ref, file); in == nil {
			return value{}, false
		}
	}
	at := in.root
	if pointer == "" {
		return value{in, at}, true
	}
	if decoded, err := url.PathUnescape(pointer); err == nil {
		pointer = decoded
	}
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if at = r.child(at, unescape(part)); at == nil {
			r.fault(ref, "%s has no value at %q; correct the $ref", in.name, "#"+pointer)
			return value{}, false
		}
	}
	return value{in, at}, true
}

// child returns the member or the item of n with the given key or index, or nil if there is none.
func (r *reader) child(n *tree.Node, key string) *tree.Node {
	const large = 32
	if n.Kind == tree.List {
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	if len(n.Members) < large {
		if m := n.Get(key); m != nil {
			return m.Value
		}
		return nil
	}
	members := r.members[n]
	if members == nil {
		members = make(map[string]*tree.Node, len(n.Members))
		for _, m := range n.Members {
			members[m.Key] = m.Value
		}
		r.members[n] = members
	}
	return members[key]
}

// unescape decodes a part of a JSON pointer (RFC 6901, section 4).
func unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

// file returns the file that ref references by a URL relative to its own file. It returns nil and adds a problem if the
// file can't be read.
func (r *reader) file(ref value, address string) *document {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "" || u.Host != "":
		r.fault(ref, "the description references %s, which is not one of the site's files; copy it next to the description, and reference the copy", address)
		return nil
	case u.Path == "":
		return ref.in
	}
	name := path.Join(path.Dir(ref.in.name), u.Path)
	if d, ok := r.documents[name]; ok {
		return d
	}
	if r.other == nil {
		r.fault(ref, "the description references %s, but only a description in a page's folder can reference other files; combine them into one file", name)
		return nil
	}
	text, err := r.other(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.fault(ref, "the description references %s, which does not exist; correct the $ref, which is relative to the description's folder", name)
	case err != nil:
		r.fault(ref, "the description references %s, which cannot be read: %v", name, err)
	default:
		return r.parse(name, text)
	}
	r.documents[name] = nil
	return nil
}
