package config

import "io"

// Systemd writes a unit that runs vitrined in a sandbox.
func Systemd(w io.Writer, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	return generate(w, "systemd.tmpl", options)
}

// Docker writes a Dockerfile whose image holds vitrined and a build of the site.
func Docker(w io.Writer) error {
	return generate(w, "docker.tmpl", nil)
}
