package contract

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Report is the outcome of playing files against a target.
type Report struct {
	Files []*FileReport
}

// FileReport is the outcome of one file.
type FileReport struct {
	Name  string
	Cases []*CaseReport
	// Requests is the number of requests sent, and Counted is the number of requests that count toward the allowance.
	Requests, Counted int
}

// CaseReport is the outcome of one case.
type CaseReport struct {
	File, Title string
	Line        int
	Claims      []string
	// Exact is the number of exchanges whose responses satisfy the contract, and Failed is the number of exchanges that
	// could not be played or whose responses violate the contract.
	Exact, Failed int
	Failures      []*Failure
	NotApplicable []NotApplicable
}

// NotApplicable is an exchange that wasn't played because the target doesn't meet the exchange's needs.
type NotApplicable struct {
	// Line is the line number of the request.
	Line int
	// Why names the capability or value that the target lacks, or the capability that the target must not have.
	Why string
}

// Failure is a line of an exchange that the response doesn't satisfy, or an exchange that could not be played.
type Failure struct {
	File string
	Line int
	// Case is the title of the case, and Check is the line as written in the file.
	Case, Check string
	// Got and Want are the actual and the expected value. If the exchange could not be played, Want is empty and Got is
	// the reason.
	Got, Want string
	// Sent is the request with its values filled in. Answered is the response, which is set only for the first failure
	// of an exchange.
	Sent, Answered string
}

// Error formats the failure as "file:line: check", followed by the actual and the expected value, and by the exchange.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Check)
	add := func(label, text string) {
		if text != "" {
			text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t           ")
			fmt.Fprintf(&b, "\t%-9s  %s\n", label, text)
		}
	}
	add("got", clip(f.Got))
	add("want", clip(f.Want))
	add("in", f.Case)
	add("sent", f.Sent)
	add("answered", f.Answered)
	return strings.TrimRight(b.String(), "\n")
}

// Counts returns how many exchanges were exact, how many failed, and how many were not applicable.
func (r *Report) Counts() (exact, failed, notApplicable int) {
	for _, f := range r.Files {
		e, x, n := f.Counts()
		exact, failed, notApplicable = exact+e, failed+x, notApplicable+n
	}
	return exact, failed, notApplicable
}

// Counts returns how many exchanges of the file were exact, how many failed, and how many were not
// applicable.
func (f *FileReport) Counts() (exact, failed, notApplicable int) {
	for _, c := range f.Cases {
		exact, failed, notApplicable = exact+c.Exact, failed+c.Failed, notApplicable+len(c.NotApplicable)
	}
	return exact, failed, notApplicable
}

// Err returns the failures as one error, or nil if there are no failures.
func (r *Report) Err() error {
	var all []error
	for _, f := range r.Files {
		for _, c := range f.Cases {
			for _, x := range c.Failures {
				all = append(all, x)
			}
		}
	}
	return errors.Join(all...)
}

// Print writes the report as text: the failures, a line for each file, the inapplicable exchanges with the reasons, and
// the totals.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	if err := r.Err(); err != nil {
		fmt.Fprintf(&b, "%v\n\n", err)
	}
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%-20s %s, %d requests\n", f.Name, counted(f.Counts()), f.Requests)
		for _, c := range f.Cases {
			for _, n := range c.NotApplicable {
				fmt.Fprintf(&b, "    not applicable: %s:%d: %s (%s)\n", f.Name, n.Line, n.Why, c.Title)
			}
		}
	}
	fmt.Fprintf(&b, "%-20s %s\n", "all", counted(r.Counts()))
	_, err := io.WriteString(w, b.String())
	return err
}

func counted(exact, failed, notApplicable int) string {
	return fmt.Sprintf("%d exact, %d failed, %d not applicable", exact, failed, notApplicable)
}
