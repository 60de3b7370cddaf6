package supply

// Platform is an operating system and a processor architecture supported by releases.
type Platform struct{ OS, Arch string }

// Platforms returns the platforms that releases support.
func Platforms() []Platform {
	var all []Platform
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, Platform{system, arch})
		}
	}
	return all
}

// Environment returns the environment variables that make the go command select p without cgo, as in releases.
func (p Platform) Environment() []string {
	return []string{"GOOS=" + p.OS, "GOARCH=" + p.Arch, "CGO_ENABLED=0"}
}
