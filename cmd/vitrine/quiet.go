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

// notes returns the writer for everything except problems and errors.
func (q quiet) notes(w io.Writer) io.Writer {
	if q {
		return io.Discard
	}
	return w
}

// shortForm is the usage of a flag that is an alias of a listed flag.
const shortForm = ""

// visitListed calls do for the flags that help, completion, and the manual page list: all except short forms.
func visitListed(flags *flag.FlagSet, do func(*flag.Flag)) {
	flags.VisitAll(func(f *flag.Flag) {
		if f.Usage != shortForm {
			do(f)
		}
	})
}
