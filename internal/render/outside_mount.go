package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/markup"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// maxVerbatim is the maximum number of bytes at the beginning of a file that OutsideMount checks. Hand-written files
// are rarely larger.
const maxVerbatim = 1 << 20

// OutsideMount returns a warning for each path outside the site's base path in files that are published unchanged,
// because Mount doesn't add the base path in these files.
func OutsideMount(s *site.Site, root fs.FS) []site.Problem {
	mount := s.Config.Mount()
	if mount == "" {
		return nil
	}
	var problems []site.Problem
	for _, f := range s.Files {
		find := finderOf(f.Path)
		if find == nil {
			continue
		}
		text, err := readBeginning(root, f.Source)
		if err != nil {
			continue // publishing the file reports the error
		}
		find(text, func(at, end int) {
			address := string(text[at:end])
			if !markup.IsPath(text[at:end]) || address == mount || strings.HasPrefix(address, mount+"/") {
				return
			}
			line := bytes.LastIndexByte(text[:at], '\n') + 1
			problems = append(problems, site.Problem{
				Path: f.Source, Severity: site.Warning, Code: rule.OutsideMount,
				Pos:  site.Pos{Line: 1 + bytes.Count(text[:at], []byte("\n")), Col: 1 + utf8.RuneCount(text[line:at])},
				Text: fmt.Sprintf("%q points to the root of the host, but the site is under %s; write the address relative to the file, which is published unchanged", address, mount),
			})
		})
	}
	return problems
}

func readBeginning(root fs.FS, name string) (text []byte, err error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxVerbatim))
}

// finderOf returns a function that calls do with the position of each link in the text of the file called name.
// finderOf returns nil for a type of file without links.
func finderOf(name string) func(text []byte, do func(begin, end int)) {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml", ".svg":
		return markup.HTML
	case ".css":
		return markup.CSS
	case ".webmanifest":
		return func(text []byte, do func(begin, end int)) {
			for _, m := range manifestAddress.FindAllSubmatchIndex(text, -1) {
				do(m[2], m[3])
			}
		}
	}
	return nil
}

// manifestAddress matches a member with a URL in a web app manifest, and captures the URL.
var manifestAddress = lazyregexp.New(`"(?:start_url|scope|id|src|url|action)"\s*:\s*"([^"]*)"`)
