package supply

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Module is a third-party Go module whose packages a program uses.
type Module struct {
	Path, Version string
	// Dir is the folder of the module's source on this machine.
	Dir string
	// License is an SPDX expression.
	License string
	// Direct is true if go.mod lists the module as a direct dependency.
	Direct bool
	// ImportedBy lists the paths of the other modules that import this module's packages.
	ImportedBy []string
}

// listed is the output of go list -json for a package.
type listed struct {
	ImportPath string
	Imports    []string
	Module     *struct {
		Path, Version, Dir string
		Main, Indirect     bool
		// Replace is the module's replacement, which is part of this repository.
		Replace *struct{ Path string }
	}
}

// Modules returns the third-party modules that packages use, sorted by path. environment selects the platform.
// arguments are passed to go list: the packages, and -test to include the modules that their tests use.
func Modules(ctx context.Context, dir string, environment []string, arguments ...string) ([]Module, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=ImportPath,Imports,Module"}, arguments...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, told.Bytes())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return modulesOf(packages)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		packages = append(packages, p)
	}
}

func modulesOf(packages []listed) ([]Module, error) {
	modules, home := make(map[string]*Module), make(map[string]string)
	for _, p := range packages {
		if p.Module == nil || p.Module.Main || p.Module.Replace != nil {
			continue
		}
		home[p.ImportPath] = p.Module.Path
		if modules[p.Module.Path] != nil {
			continue
		}
		license, err := License(p.Module.Dir)
		if err != nil {
			return nil, err
		}
		modules[p.Module.Path] = &Module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir, License: license, Direct: !p.Module.Indirect}
	}
	for _, p := range packages {
		from, other := home[p.ImportPath]
		for _, imported := range p.Imports {
			to := modules[home[imported]]
			if other && to != nil && to.Path != from && !slices.Contains(to.ImportedBy, from) {
				to.ImportedBy = append(to.ImportedBy, from)
			}
		}
	}
	sorted := make([]Module, 0, len(modules))
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		slices.Sort(modules[path].ImportedBy)
		sorted = append(sorted, *modules[path])
	}
	return sorted, nil
}

// ModulesOf returns the modules of a built program, with details from go list. dir is the source folder. It returns an
// error if the program's modules differ from the source's, because then the program was built from a different source.
func ModulesOf(ctx context.Context, dir string, program *buildinfo.BuildInfo) ([]Module, error) {
	var environment []string
	for _, s := range program.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" {
			environment = append(environment, s.Key+"="+s.Value)
		}
	}
	modules, err := Modules(ctx, dir, environment, program.Path)
	if err != nil {
		return nil, err
	}
	var listed, linked []string
	for _, m := range modules {
		listed = append(listed, m.Path+" "+m.Version)
	}
	for _, d := range program.Deps {
		if d.Replace == nil {
			linked = append(linked, d.Path+" "+d.Version)
		}
	}
	slices.Sort(linked)
	if slices.Sort(listed); !slices.Equal(listed, linked) {
		return nil, fmt.Errorf("the program contains the modules %q, but its source uses %q; build the program from this source", linked, listed)
	}
	return modules, nil
}

// Merged returns the modules of all lists, sorted by path. If a module is in more than one list, Merged returns the
// module from the first of these lists.
func Merged(lists ...[]Module) []Module {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(all, func(a, b Module) bool { return a.Path == b.Path })
}
