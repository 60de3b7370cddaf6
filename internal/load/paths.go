package load

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/folder"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// decodePath checks a path written by an editor and returns it decoded, in composed form (NFC), and without a trailing
// slash. If the path is invalid, problem explains why.
func decodePath(s string) (decoded, problem string) {
	switch {
	case !strings.HasPrefix(s, "/"):
		return "", fmt.Sprintf(`want a path that begins with "/", found %q`, s)
	case strings.ContainsAny(s, "?#"):
		return "", fmt.Sprintf("want a path without ? or #, found %q", s)
	}
	decoded, err := url.PathUnescape(s)
	if err != nil {
		return "", fmt.Sprintf("%q contains an invalid escape; write %% as %%25", s)
	}
	if len(decoded) > 1 {
		decoded = strings.TrimSuffix(decoded, "/")
	}
	decoded = composed(decoded)
	if problem := pathProblem(decoded); problem != "" {
		return "", fmt.Sprintf("%q cannot be used as a path: %s", s, problem)
	}
	return decoded, ""
}

// pathProblem returns a message that explains why p, a decoded path with a leading slash, can't be a URL path of the
// site. It returns "" if p is valid.
func pathProblem(p string) string {
	if path.Clean(p) != p {
		return `it contains an empty, ".", or ".." segment`
	}
	return nameProblem(p)
}

// nameProblem returns a message that explains why name can't be part of a URL path: it isn't UTF-8, it contains a
// forbidden character, or the path or one of its segments is too long. It returns "" if name is valid.
func nameProblem(name string) string {
	if !utf8.ValidString(name) {
		return "it is not UTF-8"
	}
	for _, r := range name {
		switch {
		case unicode.IsControl(r):
			return fmt.Sprintf("it contains the control character U+%04X", r)
		case strings.ContainsRune(`\?#%`, r):
			return fmt.Sprintf("it contains %c, which has a special meaning in a URL", r)
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxSegment {
			return fmt.Sprintf("one of its segments is %d bytes long, and the maximum is %d", len(part), maxSegment)
		}
	}
	if n := len((&url.URL{Path: name}).EscapedPath()); n > maxPath {
		return fmt.Sprintf("it is %d bytes long in a URL, and the maximum is %d", n, maxPath)
	}
	return ""
}

// reservedFolder returns the folder that contains source if the JSON API reserves all paths in that folder, or ""
// otherwise. The loader reports such a folder once instead of each file in it.
func reservedFolder(source string) string {
	for _, name := range [...]string{folder.Content + "/api", folder.Static + "/api"} {
		if within(source, name) {
			return name
		}
	}
	return ""
}

// reservedFolders reports each reserved folder that contains pages or files. In all reserved paths, it replaces /api
// with /api-reference, so that the paths don't cause further problems. Paths that are reserved for another reason, such
// as a slug, have already been reported.
func (l *loader) reservedFolders(s *site.Site) {
	found := make(map[string]bool)
	note := func(source string, path *string) {
		if !site.Reserved(*path) {
			return
		}
		*path = "/api-reference" + strings.TrimPrefix(*path, "/api")
		if name := reservedFolder(source); name != "" && !found[name] {
			found[name] = true
			text := fmt.Sprintf("everything under /api belongs to the JSON API; rename this folder, for example to %s-reference", name)
			l.problems = append(l.problems, site.Problem{Path: name, Severity: site.Error, Code: rule.WrongPath, Text: text})
		}
	}
	for _, p := range s.Pages {
		note(p.Source, &p.Path)
	}
	for i := range s.Files {
		note(s.Files[i].Source, &s.Files[i].Path)
	}
}

// ownAddress reports whether the alias p is a path that is taken on every site: the path of the home page, the error
// page, or an ACME challenge.
func ownAddress(p string) bool {
	stem := p
	for _, form := range []string{".html", ".md"} {
		stem = strings.TrimSuffix(stem, form)
	}
	return p == "/" || stem == "/index" || stem == "/404" || strings.HasPrefix(p+"/", "/.well-known/acme-challenge/")
}

const reservedText = "%s belongs to the JSON API, like everything under /api; choose another path"

// pagePath returns the URL path of a page. name is the path of its file under content/. index reports whether the file
// is the index of its folder: "blog/index.md" has the path "/blog".
func pagePath(name string) (p string, index bool) {
	stem, _ := site.CutPage(name)
	p = "/" + composed(stem)
	if path.Base(p) == "index" {
		return path.Dir(p), true
	}
	return p, false
}

// withSlug replaces the last segment of a page's path.
func withSlug(p, slug string) string {
	return path.Join(path.Dir(p), composed(slug))
}

// slugProblem returns a message that explains why s can't be a slug, which is a single path segment that doesn't end in
// .md. It returns "" if s is valid.
func slugProblem(s string) string {
	switch {
	case strings.ContainsAny(s, "/ \t\n") || s == "." || s == "..":
		return fmt.Sprintf("want a single path segment, such as first-steps; found %q", s)
	case strings.HasSuffix(s, ".md"):
		return "paths that end in .md are reserved for the Markdown form of pages; remove .md"
	}
	if problem := nameProblem(s); problem != "" {
		return fmt.Sprintf("%q cannot be used in a path: %s", s, problem)
	}
	return ""
}

// draftsFolder is the name of folders under content/ whose pages are all drafts. The name is case-insensitive.
const draftsFolder = "_drafts"

// inDrafts reports whether the named file is in a folder of drafts, at any depth.
func inDrafts(name string) bool {
	if within(name, folder.Static) {
		return false
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if strings.EqualFold(path.Base(dir), draftsFolder) {
			return true
		}
	}
	return false
}

// isAsset reports whether a file is published even if no page links to it. Such a file has the extension of an image, a
// style sheet, a script, a font, an audio or video file, a finished document, or an archive. Other files may be
// sources, an editor's copies, or notes.
func isAsset(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".apng", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico", ".bmp",
		".css", ".js", ".mjs", ".wasm", ".webmanifest", ".woff", ".woff2", ".ttf", ".otf",
		".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".wav", ".flac", ".mp4", ".m4v", ".webm", ".ogv", ".mov", ".vtt",
		".pdf", ".epub", ".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z":
		return true
	}
	return false
}

// filePath returns the URL path of a file under content/. Files in static/ are at the root.
func filePath(name string) string {
	return "/" + composed(strings.TrimPrefix(name, "static/"))
}

// FilePath returns the URL path of a file that isn't a page. source is the file's path in the site, such as
// "content/static/logo.svg".
func FilePath(source string) string {
	return filePath(strings.TrimPrefix(source, folder.Content+"/"))
}

// composed returns name in Unicode's composed form (NFC), which URLs use. macOS and some programs write é as two code
// points.
func composed(name string) string { return norm.NFC.String(name) }

// printable returns p in a form for use in diagnostics, with control characters, bidirectional controls, and invalid
// UTF-8 replaced with U+FFFD.
func printable(p string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(p, string(utf8.RuneError)))
}
