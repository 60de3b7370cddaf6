package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// mostBeside is how much of a file is looked at: what is longer is hardly written by hand.
const mostBeside = 1 << 20

// Beside reports the addresses that lead out of a site which stands below a path, in the files that are published as they
// stand: Mount does not change them.
func Beside(s *site.Site, root fs.FS) []site.Problem {
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
			continue // who publishes it reports that
		}
		for _, at := range find(text) {
			end := at
			for end < len(text) && !strings.ContainsRune("\"'<>() \t\r\n", rune(text[end])) {
				end++
			}
			address := string(text[at:end])
			if address == mount || strings.HasPrefix(address, mount+"/") {
				continue
			}
			line := bytes.LastIndexByte(text[:at], '\n') + 1
			problems = append(problems, site.Problem{
				Path: f.Source, Severity: site.Warning, Code: rule.BesideMount,
				Pos:  site.Pos{Line: 1 + bytes.Count(text[:at], []byte("\n")), Col: 1 + utf8.RuneCount(text[line:at])},
				Text: fmt.Sprintf("%q leads to the root of the host, and the site stands below %s; write the address relative to the file, which is published as it stands", address, mount),
			})
		}
	}
	return problems
}

func readBeginning(root fs.FS, name string) (text []byte, err error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, mostBeside))
}

// finderOf finds the places of addresses in a file that begin at the root of the host; nil for a file without any.
func finderOf(name string) func(text []byte) []int {
	// No text has this character, so that it shows what Mount would change.
	const mark = "\x00"
	changed := func(text []byte) (at []int) {
		for i, c := range text {
			if c == mark[0] {
				at = append(at, i-len(at))
			}
		}
		return at
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml", ".svg":
		return func(text []byte) []int {
			if bytes.Contains(text, []byte(mark)) {
				return nil
			}
			return changed(mountHTML(mark, text))
		}
	case ".css":
		return func(text []byte) []int {
			if bytes.Contains(text, []byte(mark)) {
				return nil
			}
			return changed(mountCSS(nil, mark, text))
		}
	case ".webmanifest":
		return func(text []byte) (at []int) {
			for _, m := range manifestAddress.FindAllIndex(text, -1) {
				at = append(at, m[1]-1)
			}
			return at
		}
	}
	return nil
}

// manifestAddress is a member of a web app manifest that is an address, up to its slash.
var manifestAddress = regexp.MustCompile(`"(?:start_url|scope|id|src|url|action)"\s*:\s*"/`)
