package site

import "strings"

// Version is a version of the documentation, as set in `site.yaml`.
type Version struct {
	Path         string // the path of the version's folder, such as `/docs/v1`
	Label        string // the version's name for readers
	Unmaintained bool   // whether the version no longer gets fixes
	NoIndex      bool   // whether the version's pages tell search engines not to index them
	Pos          Pos
}

// contains reports whether path, a path within a language, is the version's folder or inside it.
func (v *Version) contains(path string) bool {
	below, ok := strings.CutPrefix(path, v.Path)
	return ok && v.Path != "" && (below == "" || below[0] == '/')
}

// VersionOf returns the version of the documentation that contains p, or nil if p isn't in a version.
func VersionOf(c *Config, p *Page) *Version {
	if len(c.Versions) == 0 {
		return nil
	}
	return VersionAt(c, p.Local())
}

// VersionAt returns the version that contains local, a path within a language, or nil if no version contains local. If
// the folders of versions are nested, VersionAt returns the innermost version.
func VersionAt(c *Config, local string) *Version {
	var of *Version
	for i := range c.Versions {
		if v := &c.Versions[i]; v.contains(local) && (of == nil || len(v.Path) > len(of.Path)) {
			of = v
		}
	}
	return of
}

// IsOld reports whether v is a version other than the current version. It returns false if v is nil.
func IsOld(c *Config, v *Version) bool { return v != nil && v.Path != c.Versions[0].Path }

// InVersion returns the page in the version v that corresponds to p: the same page or, if v doesn't contain it, the
// nearest page above it. InVersion prefers pages in p's language. It finds the same page by p's path relative to its
// version, or by the relative path of one of p's aliases. same reports whether it found the same page in p's language.
// there is nil if v contains neither page.
func (x *Index) InVersion(c *Config, p *Page, v *Version) (there *Page, same bool) {
	own := VersionOf(c, p)
	switch {
	case own == nil:
		return nil, false
	case own.Path == v.Path:
		return p, true
	}
	for _, rest := range within(c, own, p) {
		if there := x.versioned(c, p.Language, v, rest); there != nil {
			return there, true
		}
	}
	original := p.In("")
	if original == p || original == nil || VersionOf(c, original) != own {
		original = nil
	} else if there, same := x.InVersion(c, original, v); same {
		if there = there.In(p.Language); there != nil && !there.Unlisted {
			return there, true
		}
	}
	rest := strings.TrimPrefix(p.Local(), own.Path)
	if there := x.above(c, p.Language, v, rest); there != nil {
		return there, false
	}
	switch {
	case p.Language == "":
		return nil, false
	case original != nil:
		there, _ := x.InVersion(c, original, v)
		return there, false
	}
	return x.above(c, "", v, rest), false
}

// within returns paths of p relative to the folder of v, the version that contains p: p's current path first, and then
// the paths of p's aliases in v.
func within(c *Config, v *Version, p *Page) []string {
	paths := []string{strings.TrimPrefix(p.Local(), v.Path)}
	for _, a := range p.Aliases {
		if path := local(p.Language, a.Path); VersionAt(c, path) == v {
			paths = append(paths, strings.TrimPrefix(path, v.Path))
		}
	}
	return paths
}

// above returns the page in the given language at the path rest, relative to the folder of v, or the nearest page above
// that path. It returns nil if there is neither.
func (x *Index) above(c *Config, language string, v *Version, rest string) *Page {
	for {
		if p := x.versioned(c, language, v, rest); p != nil {
			return p
		}
		slash := strings.LastIndexByte(rest, '/')
		if slash < 0 {
			return nil
		}
		rest = rest[:slash]
	}
}

// versioned returns the listed page in the given language at the path rest, relative to the folder of v. If the path is
// an alias, it returns the alias's page. It returns nil if there is no such page.
func (x *Index) versioned(c *Config, language string, v *Version, rest string) *Page {
	e, ok := x.at(At(language, v.Path+rest))
	if !ok || e.kind != pageEntry && e.kind != aliasEntry || e.page.Unlisted {
		return nil
	}
	if of := VersionOf(c, e.page); of == nil || of.Path != v.Path || e.page.Language != language {
		return nil
	}
	return e.page
}
