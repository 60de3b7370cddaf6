package main

import (
	"flag"
	"io"
)

// quiet is the flag --quiet, with its short form, -q.
type quiet bool

func (q *quiet) register(flags *flag.FlagSet) {
	flags.BoolVar((*bool)(q), "quiet", false, "print only problems and errors; the short form is -q")
	flags.BoolVar((*bool)(q), "q", false, shortForm)
}

// notes returns the writer for output other than problems and errors: w, or a writer that discards everything if
// --quiet is set.
func (q quiet) notes(w io.Writer) io.Writer {
	if q {
		return io.Discard
	}
	return w
}

// shortForm is the usage of a flag, such as -q, that is only the short form of another flag.
const shortForm = ""

// visitListed calls do for each flag that help, completion, and the manual page list: all flags except short forms.
func visitListed(flags *flag.FlagSet, do func(*flag.Flag)) {
	flags.VisitAll(func(f *flag.Flag) {
		if f.Usage != shortForm {
			do(f)
		}
	})
}
