package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// programInfo identifies the running program.
type programInfo struct {
	// Version is the module's version, or "(devel)" for a build from a working copy without a version.
	Version string `json:"version"`
	// Revision is the commit that the program was built from, followed by "+dirty" if files differed from the commit.
	// It is "" if the commit is unknown.
	Revision string `json:"revision"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// program returns the information that the Go toolchain stored in the binary.
func program() programInfo {
	p := programInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	if info.Main.Version != "" {
		p.Version = info.Main.Version
	}
	dirty := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			p.Revision = s.Value
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if dirty {
		p.Revision += "+dirty"
	}
	return p
}

// programVersion returns the output of --version.
func programVersion() string {
	p := program()
	revision := p.Revision
	if revision == "" {
		revision = "unknown"
	}
	return fmt.Sprintf("vitrined %s, revision %s, %s, %s", p.Version, revision, p.Go, p.Platform)
}
