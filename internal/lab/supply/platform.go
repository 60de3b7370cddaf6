package supply

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Platform is a system that releases are made for.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "_" + p.Arch }

// Platforms returns those that releases are made for.
func Platforms() []Platform {
	var all []Platform
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, Platform{system, arch})
		}
	}
	return all
}

// Environment is what the Go tool has to be told to build for the platform. C
// is out: the same bytes would need the same C compiler.
func (p Platform) Environment() []string {
	return []string{"GOOS=" + p.OS, "GOARCH=" + p.Arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT="}
}

// Executable returns the name of a program's file.
func (p Platform) Executable(program string) string {
	if p.OS == "windows" {
		return program + ".exe"
	}
	return program
}

// Programs are the programs that a release has.
func Programs() []string { return []string{"vitrine", "vitrined"} }

// Build builds the programs from the source in a folder into another. The bytes
// depend on the source, the platform and the version of Go: not on the folder
// (-trimpath), nor on the machine. vcs says whether the commit is recorded in
// them, for which the source has to be a repository. environment comes last.
func Build(ctx context.Context, source, out string, p Platform, vcs bool, environment ...string) error {
	for _, program := range Programs() {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", fmt.Sprintf("-buildvcs=%t", vcs), "-ldflags=-s -w",
			"-o", filepath.Join(out, p.Executable(program)), "./cmd/"+program)
		cmd.Dir = source
		cmd.Env = append(append(os.Environ(), p.Environment()...), environment...)
		if told, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s for %s: %w\n%s", program, p, err, told)
		}
	}
	return nil
}
