package build

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/folder"
)

// programKey returns a hash that identifies this program on this machine. It hashes the build information and, unless
// the program was built from a clean commit, the executable file's name and folder.Stamp. ok is false if the required
// data isn't available.
func programKey() (key uint64, ok bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return 0, false
	}
	text := info.String()
	if !released(info) {
		file, err := os.Executable()
		if err != nil {
			return 0, false
		}
		s, err := folder.StampOf(file)
		if err != nil {
			return 0, false
		}
		text += fmt.Sprintf("%s %+v", file, s)
	}
	return xxhash.Sum64String(text), true
}

// programID identifies a program, regardless of the machine. name describes its version in messages.
type programID struct {
	key  uint64
	name string
}

// stableProgram identifies this program, by its build information if it was built from a clean commit, and otherwise by
// the content of its executable file. ok is false if the required data isn't available.
var stableProgram = sync.OnceValues(func() (id programID, ok bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return programID{}, false
	}
	id.name = fmt.Sprintf("%s (%s, %s/%s)", info.Main.Version, info.GoVersion, runtime.GOOS, runtime.GOARCH)
	if released(info) {
		id.key = xxhash.Sum64String(info.String())
		return id, true
	}
	name, err := os.Executable()
	if err != nil {
		return id, false
	}
	file, err := os.Open(name)
	if err != nil {
		return id, false
	}
	defer file.Close()
	h := xxhash.New()
	_, err = io.Copy(h, file)
	id.key = h.Sum64()
	return id, err == nil
})

// released reports whether the program was built from a commit without uncommitted changes.
func released(info *debug.BuildInfo) bool {
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	return revision != "" && modified == "false"
}
