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

// programKey returns a hash that identifies this program on this machine. It is a hash of the build information. If the
// program wasn't built from a clean commit, the hash also includes the name and the stamp of the executable file. ok is
// false if this data isn't available.
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

// A programID identifies a program on any machine: key is a hash, and name describes the program's version in messages.
type programID struct {
	key  uint64
	name string
}

// stableProgram returns the ID of this program. The ID is a hash of the build information if the program was built from
// a clean commit, and otherwise a hash of the executable file. ok is false if this data isn't available.
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

// released reports whether the program was built from a clean commit, without uncommitted changes.
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
