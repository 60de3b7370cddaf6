// Package edge lets a CDN respond according to the contract without vitrined. It contains a JavaScript port of
// internal/serve/decide (js/core.mjs), an engine that turns the port's decisions into responses with the Fetch API
// (js/engine.mjs), an adapter of a few lines for each platform, and Manifest, the table of a build that the port reads.
//
// The port responds to every request as the Go server does. A differential test sends the same random requests to both
// and compares the status codes, header fields, and bodies.
//
// # Size
//
// A page with its Markdown twin takes 220 bytes of the table, or 62 bytes after gzip, most of them for the two hashes.
// The table of 10,000 pages and the scripts take 2.2 MB, or 0.62 MB compressed. Netlify allows 20 MB compressed. A
// Worker may have 3 MB compressed (10 MB on a paid plan) and 64 MiB uncompressed. The table is therefore a single
// module, and a Worker on the free plan has room for 48,000 pages. A new isolate needs about 40 ms to read the table,
// and a Worker may take one second to start.
package edge

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/platform"
)

//go:embed js
var scripts embed.FS

// File is a file that a build writes for a platform, in the build folder.
type File = platform.File

// Outputs returns the files that each platform needs to serve a build. Identical builds have identical files.
//
// Outputs omits compressed representations. Platforms compress a function's responses themselves, and may show the
// function a different Accept-Encoding than the client's, so the build's compressed bytes could reach a client that
// can't decode them.
func Outputs(m *artifact.Manifest, read ReadFunc) ([]File, error) {
	name, err := siteName(m, read)
	if err != nil {
		return nil, err
	}
	platforms := platform.All()
	configured := make([][]platform.File, len(platforms))
	// The configuration and the manifest both read the complete build, so run them in parallel.
	var looking sync.WaitGroup
	looking.Go(func() {
		in := platform.Input{Manifest: m, Name: name, Shared: platform.SharedFields(m)}
		for i, p := range platforms {
			configured[i] = p.Configure(in)
		}
	})
	manifest, err := NewManifest(m, read)
	var table []byte
	if err == nil {
		table, err = manifest.module()
	}
	if looking.Wait(); err != nil {
		return nil, err
	}
	var files []File
	add := func(name string, body []byte) { files = append(files, File{Name: name, Body: body}) }
	for _, p := range platforms {
		add(p.Name+"/vitrine/core.mjs", script("core.mjs"))
		add(p.Name+"/vitrine/engine.mjs", script("engine.mjs"))
		add(p.Name+"/vitrine/manifest.mjs", table)
		if m.Mount != "" {
			add(p.Name+"/vitrine/mount.mjs", script("mount.mjs"))
		}
	}
	for i, p := range platforms {
		add(p.Name+"/"+p.Entry, adapter(p.Adapter, m.Mount))
		files = append(files, configured[i]...)
	}
	return files, nil
}

// script returns the embedded script called name.
func script(name string) []byte {
	body, err := scripts.ReadFile("js/" + name)
	if err != nil {
		panic(err) // callers pass only names of embedded files
	}
	return body
}

// adapter returns the script called name, which connects the engine to a platform. For a site with a base path, the
// script passes requests through mount.mjs, which converts their paths.
func adapter(name, mount string) []byte {
	source := script(name)
	if mount == "" {
		return source
	}
	engine := regexp.MustCompile(`(?m)^import .* from "(.*)engine.mjs";\n`)
	source = engine.ReplaceAll(source, []byte("${0}import { below } from \"${1}mount.mjs\";\n"))
	return bytes.Replace(source, []byte("createHandler(manifest);"), fmt.Appendf(nil, "below(%q, createHandler(manifest));", mount), 1)
}

// module returns the manifest as a JavaScript module. Engines parse JSON in a string faster than an object literal, and
// JSON.parse can't set an object's prototype. The string has single quotes, because JSON contains many double quotes.
func (m *Manifest) module() ([]byte, error) {
	out := make([]byte, 0, m.size())
	out = fmt.Appendf(out, "// The table of build %s; see core.mjs.\nexport default JSON.parse('", m.Build)
	out, err := m.appendTo(out, escaped)
	return append(out, "');\n"...), err
}

// siteName returns a name for platforms, derived from the host in the type of the 404 problem and from the base path:
// "parley-example" for "parley.example". It returns "vitrine" if the build has no such problem or its type has no host.
func siteName(m *artifact.Manifest, read ReadFunc) (string, error) {
	const unknown = "vitrine"
	route, ok := m.Lookup(artifact.ProblemPrefix + artifact.ProblemNotFound)
	if !ok {
		return unknown, nil
	}
	index, ok := m.BodyIn(route.Variant(0), artifact.Identity)
	if !ok {
		return unknown, nil
	}
	body, err := read(route.Variant(0), index)
	if err != nil {
		return "", fmt.Errorf("reading the type of the 404 problem: %w", err)
	}
	var problem struct{ Type string }
	if err := json.Unmarshal(body, &problem); err != nil {
		return "", fmt.Errorf("reading the type of the 404 problem: %w", err)
	}
	where, err := url.Parse(problem.Type)
	if err != nil || where.Hostname() == "" {
		return unknown, nil
	}
	// A site's name on a platform has at most 63 characters: lower-case letters, digits, and dashes.
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(where.Hostname()+m.Mount))
	return strings.Trim(name[:min(len(name), 63)], "-"), nil
}
