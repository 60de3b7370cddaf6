package deploy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// stateFile is the file that describes the last deploy to a folder, for users and for `vitrine deploy --status`.
const stateFile = "deploy.json"

// Phase is the progress or the result of a deploy.
type Phase string

// The phases of a deploy. A killed deploy stays in PhaseCopying or PhaseActivated.
const (
	// PhaseCopying means that the new build is being copied, and the previous build is served.
	PhaseCopying Phase = "copying"
	// PhaseActivated means that the link points to the new build, which isn't verified yet.
	PhaseActivated Phase = "activated"
	// PhaseDone means that the new build is current. If a URL is set, the build is served at the URL and, except after
	// Rollback, the site has been verified.
	PhaseDone Phase = "done"
	// PhaseRolledBack means that the deploy failed and the previous build is served again.
	PhaseRolledBack Phase = "rolled back"
	// PhaseDoubtful means that the deploy failed and the link points back to the previous build, but the new build may
	// still be served.
	PhaseDoubtful Phase = "in doubt"
	// PhaseLeft means that the deploy failed, but the new build is still in place.
	PhaseLeft Phase = "left in place"
)

// State describes a target's builds, its last deploy, and any deploy in progress.
type State struct {
	// Pointer names the link or the object ("current") that points to the current build.
	Pointer string
	// Build is the current build. Previous is the previous build, or "" if there is none.
	Build, Previous string
	// Last is the last deploy, or nil if no deploy was recorded.
	Last *Record
	// Holder describes the deploy in progress, or is "" if there is none.
	Holder string
}

// Record is the stored description of a deploy.
type Record struct {
	Build    string    `json:"build"`
	Previous string    `json:"previous,omitempty"`
	Phase    Phase     `json:"phase"`
	Error    string    `json:"error,omitempty"`
	By       string    `json:"by"`
	Changed  time.Time `json:"changed"`
}

// note records the progress of the deploy in the target, even if the deploy was interrupted. If that fails, note only
// reports the error. In a dry run, note does nothing.
func (d *deploy) note(ctx context.Context, last string, phase Phase, why error) {
	if d.DryRun {
		return
	}
	r := Record{Build: d.name, Previous: last, Phase: phase, By: d.holder, Changed: time.Now().UTC().Truncate(time.Second)}
	if why != nil {
		r.Error = why.Error()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := d.to.note(ctx, r); err != nil {
		d.Report("the deploy state was not written: " + err.Error())
	}
}

func (f *folder) note(ctx context.Context, r Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = f.target.run(ctx, fmt.Sprintf("cd %s\nprintf '%%s\\n' %s >%[3]s.new; mv -f %[3]s.new %[3]s", quote(f.target.dir), quote(string(text)), stateFile))
	return err
}

// Status reads the state of a folder, host:folder, or bucket.
func Status(ctx context.Context, target string) (*State, error) {
	to, err := (&deploy{Options: Options{Target: target, Report: func(string) {}}}).destination()
	if err != nil {
		return nil, err
	}
	s, err := to.status(ctx)
	if err != nil {
		return nil, fmt.Errorf("inspecting %s: %w", to, err)
	}
	return s, nil
}

func (f *folder) status(ctx context.Context) (*State, error) {
	out, err := f.target.run(ctx, fmt.Sprintf(`cd %s
echo "build $(basename "$(readlink %s 2>/dev/null)")"
echo "previous $(basename "$(readlink %s 2>/dev/null)")"
[ ! -s %[4]s ] || echo "state $(cat %[4]s)"
if [ -s %[5]s ] && command -v flock >/dev/null && ! flock -n %[5]s true; then echo "holder $(cat %[5]s)"; fi`,
		quote(f.target.dir), currentLink, previousLink, stateFile, lockFile))
	if err != nil {
		return nil, err
	}
	s := &State{Pointer: "the link"}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch name {
		case "build":
			s.Build = value
		case "previous":
			s.Previous = value
		case "holder":
			s.Holder = value
		case "state":
			s.Last = &Record{}
			if err := json.Unmarshal([]byte(value), s.Last); err != nil {
				return nil, fmt.Errorf("reading %s: %w", stateFile, err)
			}
		}
	}
	return s, nil
}

// Write writes the state as text for the user.
func (s *State) Write(w io.Writer) error {
	var b strings.Builder
	before := "there is no previous build"
	if s.Previous != "" {
		before = "the previous build is " + s.Previous
	}
	fmt.Fprintf(&b, "%s points to %s; %s\n", s.Pointer, orNone(s.Build), before)
	if r := s.Last; r != nil {
		fmt.Fprintf(&b, "the last deploy (build %s, by %s): %s at %s\n", r.Build, r.By, r.Phase, r.Changed.Format(time.RFC3339))
		if r.Error != "" {
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(r.Error, "\n", "\n  "))
		}
		if s.Holder == "" && (r.Phase == PhaseCopying || r.Phase == PhaseActivated) {
			b.WriteString("  the deploy was interrupted; run it again to finish it\n")
		}
	}
	if s.Holder != "" {
		fmt.Fprintf(&b, "a deploy is in progress: %s\n", s.Holder)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
