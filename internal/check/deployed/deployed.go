// Package deployed finds deploy files in a site's folder that no longer match the site, because "vitrine new site" or
// "vitrine config" wrote them before the site's base path or the site's content negotiation changed.
package deployed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Limits of the search. mostBytes is the maximum number of bytes checked at the start of each file, where the first
// comment contains the relevant settings. Files of more than mostSize bytes and files in folders with more than
// mostFiles files aren't deploy files. mostFolders is the maximum number of folders searched.
const (
	mostBytes   = 16 << 10
	mostSize    = 1 << 20
	mostFiles   = 500
	mostFolders = 50
)

// Files are the possible deploy files in a site's folder, in order.
type Files []file

type file struct {
	name string
	text []byte
}

// Find reads the possible deploy files at the root of a site's folder and in the folders directly under it, except
// content, templates, build, and node_modules.
func Find(root fs.FS) Files {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil // loading the site reports the error
	}
	folders := []string{"."}
	for _, e := range entries {
		if e.IsDir() && len(folders) < mostFolders && !slices.Contains([]string{"content", "templates", "build", "node_modules"}, e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	var files Files
	for _, folder := range folders {
		entries, err := fs.ReadDir(root, folder)
		if err != nil || len(entries) > mostFiles {
			continue
		}
		for _, e := range entries {
			if finderOf(e.Name()) == nil || !e.Type().IsRegular() {
				continue
			}
			name := path.Join(folder, e.Name())
			if text, err := beginning(root, e, name); err == nil { // an unreadable file isn't part of the site
				files = append(files, file{name, text})
			}
		}
	}
	return files
}

// beginning returns the first mostBytes bytes of the named file, or an error if the file is too large to be a deploy
// file. It uses fs.ReadFile, because "vitrine fix" passes a file system that replaces files with edited content.
func beginning(root fs.FS, e fs.DirEntry, name string) ([]byte, error) {
	info, err := e.Info()
	if err == nil && info.Size() > mostSize {
		err = errors.New("the file is too large for a deploy file")
	}
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(root, name)
	return bytes.Clone(text[:min(len(text), mostBytes)]), err
}

// Sum returns a hash of the files.
func (f Files) Sum() uint64 {
	h := xxhash.New()
	for _, file := range f {
		fmt.Fprintf(h, "%q %q\n", file.name, file.text)
	}
	return h.Sum64()
}

// Check returns a problem for each file that doesn't match the site. The problem's message explains the fix.
func (f Files) Check(s *site.Site) []site.Problem {
	var problems []site.Problem
	for _, file := range f {
		if p := finderOf(path.Base(file.name))(s, file.name, file.text); p.Text != "" {
			p.Path, p.Severity, p.Code = file.name, site.Warning, rule.StaleDeploy
			problems = append(problems, p)
		}
	}
	return problems
}

// finder returns a problem if a deploy file doesn't match the site, or a problem without text otherwise.
type finder func(s *site.Site, name string, text []byte) site.Problem

// finderOf returns the finder for files with the given name, or nil if no deploy file has such a name.
func finderOf(name string) finder {
	switch extension := path.Ext(name); {
	case strings.HasPrefix(name, "Dockerfile"):
		return image
	case name == "netlify.toml":
		return netlify
	case strings.HasPrefix(name, "Caddyfile"), slices.Contains([]string{".conf", ".vcl", ".caddy", ".js"}, extension):
		return server
	}
	return nil
}

// server returns a problem if a server's configuration was generated for another base path or negotiation.agents.
func server(s *site.Site, name string, text []byte) site.Problem {
	was, at := artifact.FindMadeFor(text)
	if at < 0 {
		return site.Problem{}
	}
	var wrong string
	switch mount, agents := s.Config.Mount(), s.Config.AgentsGetMarkdown; {
	case was.Mount != mount:
		wrong = fmt.Sprintf("this configuration was generated for a site at %s, but baseURL in site.yaml has the path %s", cmp.Or(was.Mount, "/"), cmp.Or(mount, "/"))
	case was.Agents != agents:
		wrong = fmt.Sprintf("this configuration was generated for negotiation.agents: %t, but site.yaml has %t", was.Agents, agents)
	default:
		return site.Problem{}
	}
	return site.Problem{Pos: tree.Position(text, at), Text: fmt.Sprintf("%s; run vitrine build && %s > %s", wrong, was.Command, name)}
}

// Patterns for parts of a Dockerfile: the path that the probe requests, vitrined's image, and vitrined's release.
var (
	probe    = lazyregexp.New(`"--probe",\s*"https?://[^/"]+(/[^"]*)"`)
	released = lazyregexp.New(`(?m)^FROM (\S+) AS release`)
	archive  = lazyregexp.New(`vitrine_([0-9][0-9A-Za-z.-]*)_linux_`)
)

// image returns a problem if the probe in a Dockerfile requests a path that vitrined doesn't serve.
func image(s *site.Site, name string, text []byte) site.Problem {
	m := probe.FindSubmatchIndex(text)
	if m == nil {
		return site.Problem{}
	}
	mount, address := s.Config.Mount(), string(text[m[2]:m[3]])
	switch {
	case address == "/readyz", address == "/healthz", address == mount+"/robots.txt":
		return site.Problem{}
	case strings.HasPrefix(address, mount+"/") && !strings.HasSuffix(address, "/robots.txt"):
		return site.Problem{} // an address on the site that the author chose
	}
	command := "vitrine config docker"
	if found := archive.FindSubmatch(text); found != nil {
		command += " --release " + string(found[1])
	} else if found := released.FindSubmatch(text); found != nil && string(found[1]) != "scratch" {
		command += " --image " + string(found[1])
	}
	return site.Problem{Pos: tree.Position(text, m[2]), Text: fmt.Sprintf("the probe requests %s, which the site at %s does not have; run %s > %s", address, cmp.Or(mount, "/"), command, name)}
}

// excluded matches the line that makes Netlify serve hashed assets without the edge function.
var excluded = lazyregexp.New(`(?m)^[ \t]*(excludedPath\s*=\s*"/assets/\*")[ \t]*(?:\r?\n|$)`)

// netlify returns a problem if the edge function gets no requests for assets, although the site has a base path.
func netlify(s *site.Site, _ string, text []byte) site.Problem {
	m := excluded.FindSubmatchIndex(text)
	if m == nil || s.Config.Mount() == "" {
		return site.Problem{}
	}
	return site.Problem{
		Pos:  tree.Position(text, m[2]),
		Text: fmt.Sprintf("Netlify serves /assets/ outside the site, which is at %s; remove this line, or run vitrine fix", s.Config.Mount()),
		Fix:  site.Edit{Start: m[0], Old: string(text[m[0]:m[1]])},
	}
}
