package release

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"vitrine/internal/lab/supply"
)

//go:embed launch.js
var launch []byte

// npmPackage is the content of a package.json file, with the members in the usual order.
type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  map[string]string `json:"repository"`
	Engines     map[string]string `json:"engines"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	// PreferUnplugged makes Yarn unpack the package, because a program can't run inside a ZIP file.
	PreferUnplugged bool              `json:"preferUnplugged,omitempty"`
	Bin             map[string]string `json:"bin,omitempty"`
	Optional        map[string]string `json:"optionalDependencies,omitempty"`
}

// npmName returns the name of the main package, which is the prefix of the platform packages' names.
func (r *Release) npmName() string {
	return "@" + r.lower()
}

func (r *Release) npmPackage(name, description string) npmPackage {
	return npmPackage{
		Name: name, Version: r.Version, Description: description, License: "Apache-2.0", Homepage: r.Home(),
		Repository: map[string]string{"type": "git", "url": "git+" + r.Home() + ".git"},
		Engines:    map[string]string{"node": ">=18"},
	}
}

// npmPlatform returns Node.js's names for the operating system and the processor of a platform.
func npmPlatform(p supply.Platform) (system, cpu string) {
	system, cpu = p.OS, p.Arch
	if system == "windows" {
		system = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return system, cpu
}

// writePlatform writes the package with the programs for one platform. npm installs the package only if the package's
// os and cpu keys match the machine.
func (r *Release) writePlatform(p supply.Platform, a *archive) error {
	system, cpu := npmPlatform(p)
	programs := []string{"vitrine", "vitrined"}
	if p.OS == "windows" {
		programs = []string{"vitrine.exe", "vitrined.exe"}
	}
	files, err := a.pick("package/bin", programs...)
	if err != nil {
		return fmt.Errorf("packing the npm package for %s: %w", p.OS, err)
	}
	for i := range files {
		files[i].mode = 0o755
	}
	m := r.npmPackage(r.npmName()+"-"+system+"-"+cpu, "The programs of "+r.npmName()+" for "+p.OS+" on "+p.Arch+".")
	m.OS, m.CPU, m.PreferUnplugged = []string{system}, []string{cpu}, true
	return r.writeNPM(m, a, files)
}

// writeLauncher writes the package that users install. It depends on the platform packages, and starts the programs in
// the platform package that npm has installed.
func (r *Release) writeLauncher(a *archive) error {
	m := r.npmPackage(r.npmName(), "Builds a company's public facts into a site that any edge can serve, and serves it.")
	m.Bin = map[string]string{"vitrine": "bin/vitrine.js", "vitrined": "bin/vitrined.js"}
	m.Optional = make(map[string]string)
	for _, p := range supply.Platforms() {
		system, cpu := npmPlatform(p)
		m.Optional[r.npmName()+"-"+system+"-"+cpu] = r.Version
	}
	files := []file{{"package/launch.js", 0o644, bytes.ReplaceAll(launch, []byte("@owner/vitrine"), []byte(r.npmName()))}}
	for _, program := range []string{"vitrine", "vitrined"} {
		files = append(files, file{"package/bin/" + program + ".js", 0o755, fmt.Appendf(nil, "#!/usr/bin/env node\n\"use strict\";\nrequire(\"../launch.js\")(%q);\n", program)})
	}
	readme, err := a.pick("package", "README.md")
	if err != nil {
		return err
	}
	return r.writeNPM(m, a, append(files, readme...))
}

// writeNPM writes a package to a file with the name that `npm pack` would choose.
func (r *Release) writeNPM(m npmPackage, a *archive, files []file) error {
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	texts, err := a.pick("package", "LICENSE", "LICENSES-OF-MODULES.txt")
	if err != nil {
		return err
	}
	files = append(append([]file{{"package/package.json", 0o644, append(manifest, '\n')}}, files...), texts...)
	data, err := tarball(files, a.time)
	if err != nil {
		return err
	}
	if data, err = zipped(data); err != nil {
		return err
	}
	return r.write(strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")+"-"+m.Version+".tgz", data)
}
