package supply

// Platform is a system that releases are made for.
type Platform struct{ OS, Arch string }

// Platforms returns the platforms of releases.
func Platforms() []Platform {
	var all []Platform
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, Platform{system, arch})
		}
	}
	return all
}

// Environment makes the Go tool list packages for the platform, as releases are
// built: without C.
func (p Platform) Environment() []string {
	return []string{"GOOS=" + p.OS, "GOARCH=" + p.Arch, "CGO_ENABLED=0"}
}
