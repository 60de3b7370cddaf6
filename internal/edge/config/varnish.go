package config

import (
	"io"
	"strings"
)

// Varnish writes the VCL of a cache before vitrined.
func Varnish(w io.Writer, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	return generate(w, "varnish.tmpl", options)
}

// seconds returns the max-age of a Cache-Control.
func seconds(cacheControl string) string {
	_, age, _ := strings.Cut(cacheControl, "max-age=")
	age, _, _ = strings.Cut(age, ",")
	return age
}
