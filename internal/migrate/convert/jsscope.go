package convert

import (
	"path"
	"regexp"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
)

// jsScope finds the constants of a program and of its imported files by name.
type jsScope struct {
	code     string
	imported func(name string) string
	// depth is the nesting depth of imports.
	depth int
	// busy contains the names that are being resolved, to detect cycles.
	busy map[string]bool
}

var (
	jsShort  = lazyregexp.New(`^([A-Za-z_$][\w$]*)\s*[,}]`)
	jsSpread = lazyregexp.New(`^\.\.\.\s*([A-Za-z_$][\w$]*)`)
	jsCast   = lazyregexp.New(`\s+(?:as|satisfies)\s[^,]*$`)
	jsPath   = lazyregexp.New(`(?:^|\.)(?:resolve|join|fileURLToPath|URL)\s*$`)
	jsQuoted = lazyregexp.New(`"([^"\n]*)"|'([^'\n]*)'`)
	jsImport = lazyregexp.New(`(?m)^\s*import\s+(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*['"](\.[^'"]+)['"]|(?:const|let|var)\s+(?:([\w$]+)|\{([^}]*)\})\s*=\s*require\(\s*['"](\.[^'"]+)['"]`)
	jsReturn = lazyregexp.New(`\breturn\s*\(?\s*[\[{]`)
	jsArrow  = lazyregexp.New(`^(?:async\s+)?(?:\([^()]*\)|[A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=>\s*`)
	jsWord   = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)
)

// spread reads "...name" at the parser's position, and returns the value of the name. It returns nil if there is no
// spread or the value is unknown.
func (p *jsParser) spread(depth int) *tree.Node {
	m := jsSpread.FindStringSubmatch(p.code[p.at:])
	if m == nil {
		return nil
	}
	v := p.scope.value(m[1], depth+1)
	if v != nil {
		p.skip()
	}
	return v
}

// value returns the value of the constant, or the return value of the function, called name. It returns nil if that
// value is unknown.
func (s *jsScope) value(name string, depth int) *tree.Node {
	if s == nil || !jsWord.MatchString(name) || s.busy[name] || s.depth > 5 || depth > tree.MaxDepth {
		return nil
	}
	if s.busy == nil {
		s.busy = map[string]bool{}
	}
	s.busy[name] = true
	defer delete(s.busy, name)
	quoted := regexp.QuoteMeta(name)
	if m := regexp.MustCompile(`(?m)(?:^|[\s;])(?:const|let|var)\s+` + quoted + `\s*(?::[^=\n]+)?=\s*`).FindStringIndex(s.code); m != nil && !strings.HasPrefix(s.code[m[1]:], "require(") {
		return s.result(m[1], depth)
	}
	if m := regexp.MustCompile(`(?m)(?:^|[\s;])function\s+` + quoted + `\s*\(`).FindStringIndex(s.code); m != nil {
		if r := jsReturn.FindStringIndex(s.code[m[1]:]); r != nil {
			return s.literal(m[1]+r[1]-1, depth)
		}
	}
	for _, m := range jsImport.FindAllStringSubmatch(s.code, -1) {
		if export, ok := importedAs(name, m[1]+m[4], m[2]+m[5]); ok {
			return s.module(m[3]+m[6], export, depth)
		}
	}
	return s.exported(name, depth)
}

// jsExport matches a statement that exports some or all names of another file.
var jsExport = lazyregexp.New(`(?m)^\s*export\s*(?:\*|\{([^}]*)\})\s*from\s*['"](\.[^'"]+)['"]`)

// exported returns the value of name if the program re-exports it from another file, or nil otherwise.
func (s *jsScope) exported(name string, depth int) *tree.Node {
	for _, m := range jsExport.FindAllStringSubmatch(s.code, -1) {
		export, ok := importedAs(name, "", m[1])
		if all := m[1] == ""; all {
			export, ok = name, true
		}
		if !ok {
			continue
		}
		if v := s.module(m[2], export, depth); v != nil {
			return v
		}
	}
	return nil
}

// result returns the value at the given position or, if the value is an arrow function, its return value. It returns
// nil if the value isn't a literal.
func (s *jsScope) result(at, depth int) *tree.Node {
	arrow := jsArrow.FindString(s.code[at:])
	if at += len(arrow); arrow != "" && strings.HasPrefix(s.code[at:], "{") {
		r := jsReturn.FindStringIndex(s.code[at:])
		if r == nil {
			return nil
		}
		at += r[1] - 1
	}
	return s.literal(at, depth)
}

// literal returns the value at the given position, or nil if the value isn't a literal.
func (s *jsScope) literal(at, depth int) *tree.Node {
	v := (&jsParser{code: s.code, at: at, scope: s}).value(depth)
	if v.Kind == tree.Null {
		return nil
	}
	return v
}

// importedAs returns the exported name of the import whose local name is name, or "default" for the default import.
// whole is the local name of the default import, and parts are the names in braces. importedAs returns false if there
// is no import with this local name.
func importedAs(name, whole, parts string) (string, bool) {
	if name == whole {
		return "default", true
	}
	for one := range strings.SplitSeq(parts, ",") {
		export, local, renamed := strings.Cut(strings.ReplaceAll(strings.TrimSpace(one), ":", " as "), " as ")
		if !renamed {
			local = export
		}
		if strings.TrimSpace(local) == name {
			return strings.TrimSpace(export), true
		}
	}
	return "", false
}

var jsDefault = lazyregexp.New(`(?m)^\s*(?:export\s+default\s+|module\.exports\s*=\s*)`)

// module returns the value that the imported file exports as export, or nil if the value is unknown.
func (s *jsScope) module(file, export string, depth int) *tree.Node {
	if s.imported == nil {
		return nil
	}
	text := s.imported(file)
	if text == "" {
		return nil
	}
	if path.Ext(file) == ".json" {
		return (&jsParser{code: text}).value(depth)
	}
	code := jsComments.ReplaceAllString(text, "$1")
	dir := path.Dir(file)
	inner := &jsScope{code: code, depth: s.depth + 1, imported: func(name string) string { return s.imported("./" + path.Join(dir, name)) }}
	if export == "default" {
		if m := jsDefault.FindStringIndex(code); m != nil {
			return inner.literal(m[1], depth)
		}
		return nil
	}
	return inner.value(export, depth)
}
