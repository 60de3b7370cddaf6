package apidoc

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
)

// entry is a member of a map.
type entry struct {
	key string
	value
}

// isExtension reports whether a path or a status is an extension of the description, which the pages don't show.
func (e entry) isExtension() bool { return strings.HasPrefix(e.key, "x-") }

// at returns the value at key. ok is false if there is none, or if it is null.
func (v value) at(key string) (member value, ok bool) {
	m := v.Get(key)
	if m == nil || m.Value.Kind == tree.Null {
		return value{}, false
	}
	return value{v.in, m.Value}, true
}

// ofKind returns the value at key if it has the given kind, which want names. If it has another kind, ofKind adds a
// problem.
func (r *reader) ofKind(v value, key string, kind tree.Kind, want string) (member value, ok bool) {
	member, ok = v.at(key)
	if ok && member.Kind != kind {
		r.fault(member, "%s: want %s, found %s", key, want, member.Describe())
		ok = false
	}
	return member, ok
}

// entries returns the members of the map at key, in file order. A missing map is empty.
func (r *reader) entries(v value, key string) (list []entry) {
	if m, ok := r.ofKind(v, key, tree.Map, "a map"); ok {
		for _, one := range m.Members {
			list = append(list, entry{one.Key, value{m.in, one.Value}})
		}
	}
	return list
}

// items returns the items of the list at key. A missing list is empty.
func (r *reader) items(v value, key string) (list []value) {
	if m, ok := r.ofKind(v, key, tree.List, "a list"); ok {
		for _, one := range m.Items {
			list = append(list, value{m.in, one})
		}
	}
	return list
}

// flag reports whether the value at key is true.
func (r *reader) flag(v value, key string) bool {
	m, ok := r.ofKind(v, key, tree.Bool, "true or false")
	return ok && m.Text == "true"
}

// number returns the number at key, or nil if there is none.
func (r *reader) number(v value, key string) any {
	if m, ok := r.ofKind(v, key, tree.Number, "a number"); ok {
		return m.Plain()
	}
	return nil
}

// text returns the text at key, or "" if there is none.
func (r *reader) text(v value, key string) string {
	if m, ok := v.at(key); ok {
		return r.textOf(key, m)
	}
	return ""
}

// textOf returns the text of v. It also accepts numbers and Booleans, because YAML needs quotes around such texts. what
// is the subject of the message if v isn't text.
func (r *reader) textOf(what string, v value) string {
	if v.Kind == tree.List || v.Kind == tree.Map {
		r.fault(v, "%s: want text, found %s", what, v.Describe())
		return ""
	}
	if v.Kind == tree.Null {
		return ""
	}
	return v.Text
}

// texts returns the texts in the list at key.
func (r *reader) texts(v value, key string) (list []string) {
	for _, item := range r.items(v, key) {
		list = append(list, r.textOf(key, item))
	}
	return list
}

// plainOf returns the value at key as a plain Go value, or nil if there is none.
func plainOf(v value, key string) any {
	if m, ok := v.at(key); ok {
		return m.Plain()
	}
	return nil
}

// object follows the reference in v, if it is one, and returns the map that it leads to. A missing value is an empty map.
// what is the subject of the message if the value isn't a map. ok is false if there is no such map.
func (r *reader) object(what string, v value) (object value, ok bool) {
	_, object, ok = r.follow(v, func(*tree.Node) bool { return false })
	if ok && object.Kind != tree.Map && object.Kind != tree.Null {
		r.fault(v, "%s: want a map, found %s", what, object.Describe())
		ok = false
	}
	return object, ok
}

// description decodes the root of a document.
func (r *reader) description(root value) *description {
	d := &description{schemes: make(map[string]*securityScheme)}
	r.security = r.requirements(root)
	for _, item := range r.items(root, "tags") {
		if t, ok := r.object("tags", item); ok {
			d.tags = append(d.tags, tagInfo{r.text(t, "name"), r.text(t, "description")})
		}
	}
	for _, item := range r.items(root, "servers") {
		if s, ok := r.object("servers", item); ok {
			d.servers = append(d.servers, r.server(s))
		}
	}
	if c, ok := r.ofKind(root, "components", tree.Map, "a map"); ok {
		r.components(d, c)
	}
	for _, e := range r.entries(root, "paths") {
		if e.isExtension() {
			continue
		}
		if item, ok := r.object(e.key, e.value); ok {
			d.paths = append(d.paths, r.pathItem(e.key, item, e.value))
		}
	}
	r.decodeAll()
	return d
}

func (r *reader) server(v value) server {
	s := server{url: r.text(v, "url"), variables: make(map[string]string)}
	for _, e := range r.entries(v, "variables") {
		if variable, ok := r.object(e.key, e.value); ok {
			s.variables[e.key] = r.text(variable, "default")
		}
	}
	return s
}

// components decodes the security schemes. It also checks the other components, because an unused component may be the
// one that the author is editing.
func (r *reader) components(d *description, v value) {
	for _, e := range r.entries(v, "securitySchemes") {
		if s, ok := r.object(e.key, e.value); ok {
			d.schemes[e.key] = &securityScheme{
				kind: r.text(s, "type"), scheme: r.text(s, "scheme"), in: r.text(s, "in"), name: r.text(s, "name"), description: r.text(s, "description"),
			}
		}
	}
	for _, e := range r.entries(v, "schemas") {
		r.schema(e.key, e.value)
	}
	for _, e := range r.entries(v, "parameters") {
		r.parameter(e.value)
	}
	for _, e := range r.entries(v, "requestBodies") {
		r.body(e.key, e.value)
	}
	for _, e := range r.entries(v, "responses") {
		r.body(e.key, e.value)
	}
}

// requirements returns the names of the security schemes in a list of alternative requirements, without duplicates.
func (r *reader) requirements(v value) (names []string) {
	for _, item := range r.items(v, "security") {
		if item.Kind != tree.Map {
			r.fault(item, "security: want a map, found %s", item.Describe())
			continue
		}
		var own []string
		for _, m := range item.Members {
			own = append(own, m.Key)
		}
		for _, name := range slices.Sorted(slices.Values(own)) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// pathItem decodes a path. ref is v, or a reference to v. The operations and parameters beside a reference take
// precedence.
func (r *reader) pathItem(path string, v, ref value) *pathItem {
	item := &pathItem{path: path, operations: make(map[string]*definition)}
	r.operations(item, v)
	shared := r.parametersOf(v)
	if ref.Node != v.Node {
		r.operations(item, ref)
		shared = slices.Concat(r.parametersOf(ref), shared)
	}
	for _, o := range item.operations {
		o.parameters = overriding(o.parameters, shared)
	}
	return item
}

// overriding returns own and the shared parameters, without parameters that have the name and the location of an earlier
// one.
func overriding(own, shared []*parameter) (list []*parameter) {
	for _, p := range slices.Concat(own, shared) {
		if !slices.ContainsFunc(list, func(other *parameter) bool { return other.name == p.name && other.in == p.in }) {
			list = append(list, p)
		}
	}
	return list
}

// operations adds the operations in v to a path.
func (r *reader) operations(item *pathItem, v value) {
	for _, m := range v.Members {
		name := strings.ToUpper(m.Key)
		if !slices.Contains(methods, name) || m.Value.Kind == tree.Null {
			continue
		}
		at := value{v.in, m.Value}
		what := "paths." + item.path + "." + m.Key
		switch ref := m.Value.Get("$ref"); {
		case m.Value.Kind != tree.Map:
			r.fault(at, "%s: want a map, found %s", what, m.Value.Describe())
		case ref != nil:
			// OpenAPI allows references for paths but not for operations.
			r.faultAt(v.in, ref.Pos, "%s: an operation cannot be a reference; reference the whole path instead, or bundle the description with a tool such as `redocly bundle`", what)
		default:
			item.operations[name] = r.definition(at)
		}
	}
}

func (r *reader) definition(v value) *definition {
	o := &definition{
		tags: r.texts(v, "tags"), id: r.text(v, "operationId"), summary: r.text(v, "summary"), description: r.text(v, "description"),
		deprecated: r.flag(v, "deprecated"), parameters: r.parametersOf(v), security: r.security,
	}
	if _, ok := v.at("security"); ok {
		o.security = r.requirements(v)
	}
	if m, ok := v.at("requestBody"); ok {
		o.body = r.body("requestBody", m)
	}
	for _, e := range r.entries(v, "responses") {
		if e.isExtension() {
			continue
		}
		if b := r.body(e.key, e.value); b != nil {
			o.responses = append(o.responses, response{e.key, *b})
		}
	}
	slices.SortFunc(o.responses, func(a, b response) int {
		return cmp.Or(last(a.status == "default", b.status == "default"), strings.Compare(a.status, b.status))
	})
	return o
}

// last compares two elements, of which the one with true comes last.
func last(a, b bool) int {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}

// body decodes the body of a request or a response. It returns nil and adds a problem if v isn't a body.
func (r *reader) body(what string, v value) *body {
	target, ok := r.object(what, v)
	if !ok {
		return nil
	}
	b := r.bodies[target.Node]
	if b == nil {
		b = &body{r.text(target, "description"), r.content(target)}
		r.bodies[target.Node] = b
	}
	if text := r.ownDescription(v, target); text != "" {
		return &body{text, b.content}
	}
	return b
}

// ownDescription returns the description beside a reference to target. Only OpenAPI 3.1 allows it.
func (r *reader) ownDescription(v, target value) string {
	if v.Node == target.Node || !r.siblings {
		return ""
	}
	return r.text(v, "description")
}

// parametersOf decodes the parameters of a path or an operation.
func (r *reader) parametersOf(v value) (list []*parameter) {
	for _, item := range r.items(v, "parameters") {
		if p := r.parameter(item); p != nil {
			list = append(list, p)
		}
	}
	return list
}

func (r *reader) parameter(v value) *parameter {
	target, ok := r.object("parameters", v)
	if !ok {
		return nil
	}
	p := r.parameters[target.Node]
	if p == nil {
		p = r.newParameter(target)
		r.parameters[target.Node] = p
	}
	if text := r.ownDescription(v, target); text != "" {
		described := *p
		described.description = text
		return &described
	}
	return p
}

func (r *reader) newParameter(v value) *parameter {
	p := &parameter{
		name: r.text(v, "name"), in: r.text(v, "in"), description: r.text(v, "description"), required: r.flag(v, "required"),
		deprecated: r.flag(v, "deprecated"), schema: r.schemaAt(v, "schema"), example: r.example(v),
	}
	if content := r.content(v); p.schema == nil && len(content) > 0 {
		p.schema = content[0].schema
	}
	return p
}

// content decodes the media types of a body or a parameter.
func (r *reader) content(v value) (list []mediaType) {
	for _, e := range r.entries(v, "content") {
		if m, ok := r.object(e.key, e.value); ok {
			list = append(list, mediaType{e.key, r.schemaAt(m, "schema"), r.example(m)})
		}
	}
	slices.SortFunc(list, func(a, b mediaType) int {
		const first = "application/json"
		return cmp.Or(last(a.name != first, b.name != first), strings.Compare(a.name, b.name))
	})
	return list
}

// example returns the example of a media type or a parameter, or nil if there is none. Of several examples, it returns
// the one with the first name.
func (r *reader) example(v value) any {
	if example := plainOf(v, "example"); example != nil {
		return example
	}
	entries := r.entries(v, "examples")
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for _, e := range entries {
		if m, ok := r.object(e.key, e.value); ok {
			if example := plainOf(m, "value"); example != nil {
				return example
			}
		}
	}
	return nil
}
