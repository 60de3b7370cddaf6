package build

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/folder"
)

// programKey returns a hash that identifies this program: its version if it is a release, otherwise its executable file. ok is
// false if neither is available.
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

// released reports whether a program was built from a commit and nothing else.
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
