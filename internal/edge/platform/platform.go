// Package platform contains a table of the platforms that serve a build with the script of package edge. For each
// platform, it provides the data that builds, deploys, previews, and verifications need. Package edge/hosts declares
// how each platform's responses differ from the contract.
package platform

import (
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// Platform is a CDN that runs the script of package edge.
type Platform struct {
	// Name is the platform's folder in a build, its name as a target of a deploy, and its name in edge/hosts.
	Name string
	// Title is the platform's name in sentences. Needs describes the contents of the platform's folder in a build.
	Title, Needs string
	// Adapter is the file in edge/js that connects the engine to the platform. Entry is the path of this file in the
	// platform's folder.
	Adapter, Entry string
	// Configure returns the files that configure the platform.
	Configure func(Input) []File
	// Deploy returns the command of the platform's tool that deploys a build. build is the absolute path of the build
	// folder.
	Deploy func(build string) Deploy
	// Preview returns the URL of the preview that the platform is building, according to the environment variables, or
	// "" if this isn't a build of a preview.
	Preview func(environment func(string) string) string
	// Marks are the header fields that identify the platform's responses.
	Marks []Mark
}

// Input describes a build for a platform's configuration.
type Input struct {
	Manifest *artifact.Manifest
	// Name is the site's name on the platform. It consists of lower-case letters, digits, and dashes.
	Name string
	// Shared are the header fields of all hashed assets, or nil if the script must serve assets too.
	Shared []artifact.Field
}

// File is a file in the build folder. Its name is slash-separated.
type File struct {
	Name string
	Body []byte
}

// Deploy describes how to run a platform's tool.
type Deploy struct {
	Command []string
	// Prepare fills the empty folder in which the tool runs. If it is nil, the tool runs in the working directory.
	Prepare func(folder string) error
}

// Mark is a header field that identifies a platform: its value, in lower case, contains Word. An empty Word matches any
// value.
type Mark struct{ Field, Word string }

// All returns every platform.
func All() []Platform { return []Platform{netlify(), cloudflare()} }

// ByName returns the platform called name, and reports whether there is one.
func ByName(name string) (Platform, bool) {
	all := All()
	i := slices.IndexFunc(all, func(p Platform) bool { return p.Name == name })
	if i < 0 {
		return Platform{}, false
	}
	return all[i], true
}

// Names returns the names of all platforms.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Titles returns the platforms' titles as a phrase: "Netlify or Cloudflare".
func Titles() string {
	var titles []string
	for _, p := range All() {
		titles = append(titles, p.Title)
	}
	return strings.Join(titles, " or ")
}

// assetsPrefix is the path prefix of the theme's files with hashed names.
const assetsPrefix = "/assets/"

// SharedFields returns the header fields of all hashed assets, for platforms that serve such assets themselves. It
// returns nil if the script must serve them too.
func SharedFields(m *artifact.Manifest) []artifact.Field {
	if m.Mount != "" {
		// If the site has a base path, its files' locations differ from their URLs, so only the scripts can find them.
		return nil
	}
	return hashedAssets(m)
}

// hashedAssets returns the header fields, except Content-Type, that all files under assetsPrefix share, or nil if there
// are no such files. It also returns nil if a file there has no hashed name, because browsers would cache it for a year
// under a rule for the whole folder.
func hashedAssets(m *artifact.Manifest) (shared []artifact.Field) {
	seen := make(map[artifact.ClassIndex]bool)
	for route := range m.RoutesAsAdded() {
		if !strings.HasPrefix(route.Path(), assetsPrefix) {
			continue
		}
		if route.Kind() != artifact.KindFile {
			return nil
		}
		class, _, _ := m.ClassOf(route.Variant(0))
		if seen[class] {
			continue
		}
		seen[class] = true
		if m.Field(route.Variant(0), "Cache-Control") != artifact.AssetCacheControl {
			return nil
		}
		fields := m.Fields(route.Variant(0))
		if shared == nil {
			shared = slices.DeleteFunc(fields, func(f artifact.Field) bool { return f.Name == "Content-Type" })
			continue
		}
		shared = slices.DeleteFunc(shared, func(f artifact.Field) bool { return !slices.Contains(fields, f) })
	}
	return shared
}
