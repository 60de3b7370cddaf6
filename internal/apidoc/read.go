package apidoc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// description is a parsed OpenAPI description.
type description struct {
	*openapi3.T
	// paths are the API's paths in file order, or in sorted order if the file is too large for the settings reader.
	paths []string
}

// read parses the description in f. If the position of a problem is unknown, read uses the start of the document. other
// is Source.Read.
func read(f File, other func(string) ([]byte, error)) (description, []site.Problem) {
	fault := func(at site.Pos, format string, args ...any) (description, []site.Problem) {
		return description{}, []site.Problem{{Path: f.Name, Pos: at, Severity: site.Error, Code: rule.Description, Text: fmt.Sprintf(format, args...)}}
	}
	root, faults := parse(f)
	if len(faults) > 0 && strings.Contains(faults[0].Text, "more than") {
		// The description of a large API may exceed the limits of the settings reader. Load it without positions.
		return load(f, other, &tree.Node{Pos: site.Pos{Line: 1, Col: 1}}, fault)
	}
	if len(faults) > 0 {
		return fault(faults[0].Pos, "%s", faults[0].Text)
	}
	first := site.Pos{Line: 1, Col: 1}
	if root.Kind != tree.Map {
		return fault(first, "want an OpenAPI description with openapi, info, and paths; found %s", root.Describe())
	}
	switch version := root.Get("openapi"); {
	case version == nil && root.Get("swagger") != nil:
		return fault(root.Get("swagger").Pos, "this is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1")
	case version == nil:
		return fault(first, `openapi is missing; write "openapi: 3.1.0"`)
	case !strings.HasPrefix(version.Value.Text, "3.0") && !strings.HasPrefix(version.Value.Text, "3.1"):
		return fault(version.Value.Pos, "openapi: want 3.0 or 3.1, found %s", version.Value.Describe())
	case root.Get("paths") == nil && root.Get("webhooks") == nil:
		return fault(first, "paths is missing; add the paths of the API with their operations")
	}
	if ref, at := referredOperation(root); ref != nil {
		return fault(ref.Pos, "%s: an operation cannot be a reference; reference the whole path instead, or bundle the description with a tool such as `redocly bundle`", at)
	}
	return load(f, other, root, fault)
}

// referredOperation returns the $ref of the first operation that has one, or nil if there is none. at is the
// operation's path in the document, such as paths./orders.get. OpenAPI allows references for paths but not for
// operations, and package openapi3 would read such an operation as empty.
func referredOperation(root *tree.Node) (ref *tree.Member, at string) {
	paths := root.Get("paths")
	if paths == nil {
		return nil, ""
	}
	for _, item := range paths.Value.Members {
		for _, o := range item.Value.Members {
			if slices.Contains(methods, strings.ToUpper(o.Key)) {
				if ref := o.Value.Get("$ref"); ref != nil {
					return ref, "paths." + item.Key + "." + o.Key
				}
			}
		}
	}
	return nil, ""
}

// load reads a description with package openapi3. References may point to other files of the site, but not to URLs.
// root is the parsed file, or a node without members if the file exceeds the limits of the settings reader. fault
// returns load's results for an error.
func load(f File, other func(string) ([]byte, error), root *tree.Node, fault func(site.Pos, string, ...any) (description, []site.Problem)) (description, []site.Problem) {
	loader := openapi3.NewLoader()
	var missing error
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
		if at.Path == f.Name && at.Host == "" {
			return f.Text, nil
		}
		text, err := readOther(at, other)
		if err != nil && missing == nil {
			missing = err
		}
		return text, err
	}
	doc, err := loader.LoadFromDataWithPath(f.Text, &url.URL{Path: f.Name})
	var wrong *otherFile
	switch {
	case errors.As(missing, &wrong):
		return fault(placeOfFile(f.Text, root, wrong.name), "%v", wrong)
	case err != nil:
		return fault(placeOf(f.Text, root, err.Error()), "%s; correct it, or check the file with an OpenAPI editor", oneLine(err.Error()))
	}
	return description{doc, pathsOf(doc, root)}, nil
}

// pathsOf returns the API's paths in file order, or in sorted order if root doesn't contain the paths.
func pathsOf(doc *openapi3.T, root *tree.Node) []string {
	if doc.Paths == nil {
		return nil
	}
	if paths := root.Get("paths"); paths != nil {
		var order []string
		for _, m := range paths.Value.Members {
			if doc.Paths.Value(m.Key) != nil {
				order = append(order, m.Key)
			}
		}
		return order
	}
	return slices.Sorted(maps.Keys(doc.Paths.Map()))
}

// otherFile is the error for a reference to a file that can't be read. name is the file or URL, and text is the rest of
// the message.
type otherFile struct{ name, text string }

// Error implements error.
func (e *otherFile) Error() string { return "the description references " + e.name + ", " + e.text }

// readOther reads a file referenced by a description. Its errors are of type *otherFile.
func readOther(at *url.URL, other func(string) ([]byte, error)) ([]byte, error) {
	if at.Scheme != "" || at.Host != "" {
		return nil, &otherFile{at.String(), "which is not one of the site's files; copy it next to the description, and reference the copy"}
	}
	name := path.Clean(at.Path)
	if other == nil {
		return nil, &otherFile{name, "but only a description in a page's folder can reference other files; combine them into one file"}
	}
	text, err := other(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &otherFile{name, "which does not exist; correct the $ref, which is relative to the description's folder"}
	case err != nil:
		return nil, &otherFile{name, fmt.Sprintf("which cannot be read: %v", err)}
	}
	return text, nil
}

// parse parses a description as JSON or YAML. The tree provides the positions of problems, because package openapi3
// reports none.
func parse(f File) (*tree.Node, []tree.Fault) {
	if bytes.HasPrefix(bytes.TrimSpace(f.Text), []byte("{")) {
		return tree.JSON(f.Text, 1)
	}
	return tree.YAML(f.Text, 1)
}

// quoted matches the reference in an error message.
var quoted = lazyregexp.New(`"(#?/[^"]+)"`)

// inside matches the JSON pointer in an error about a value of the wrong type.
var inside = lazyregexp.New(`\bin ((?:/[^/\s;]+)+)`)

// placeOf returns the position of the reference or the value that an error message names. If it can't find the
// position, it returns root's position.
func placeOf(text []byte, root *tree.Node, message string) site.Pos {
	for _, found := range quoted.FindAllStringSubmatch(message, -1) {
		for number, line := range strings.Split(string(text), "\n") {
			if at := strings.Index(line, found[1]); at >= 0 {
				return site.Pos{Line: number + 1, Col: at + 1}
			}
		}
	}
	if found := inside.FindStringSubmatch(message); found != nil {
		return placeOfPointer(root, found[1])
	}
	return root.Pos
}

// placeOfPointer returns the position of the value at a JSON pointer, or of its nearest ancestor in the file.
func placeOfPointer(root *tree.Node, pointer string) site.Pos {
	at := root
	for _, name := range strings.Split(pointer[1:], "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		if number, err := strconv.Atoi(name); err == nil && number < len(at.Items) {
			at = at.Items[number]
		} else if m := at.Get(name); m != nil {
			at = m.Value
		} else {
			break
		}
	}
	return at.Pos
}

// placeOfFile returns the position of the first reference to the file called name, or root's position if there is none.
func placeOfFile(text []byte, root *tree.Node, name string) site.Pos {
	base := path.Base(name)
	for number, line := range strings.Split(string(text), "\n") {
		if at := strings.Index(line, base); at >= 0 && strings.Contains(line[:at], "$ref") {
			return site.Pos{Line: number + 1, Col: at + 1}
		}
	}
	return root.Pos
}
