package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// target is a folder on this machine, or on a host that ssh reaches with the user's settings.
type target struct {
	// host is the host in the form that ssh accepts, or "" for this machine. dir is the absolute path of the folder.
	host, dir string
	// progress receives rsync's progress, or is nil.
	progress io.Writer
}

// newTarget parses a folder or host:folder. As in scp, a colon after a slash is part of the folder's name. On Windows,
// a single letter before the colon is a drive, not a host.
func newTarget(s string) (target, error) {
	host, dir, remote := strings.Cut(s, ":")
	if !remote || strings.Contains(host, "/") || len(host) == 1 && os.PathSeparator == '\\' {
		dir, err := filepath.Abs(s)
		return target{dir: filepath.ToSlash(dir)}, err
	}
	switch {
	case host == "" || strings.HasPrefix(host, "-"):
		return target{}, fmt.Errorf("%q has no host; write the target as user@host:/folder", s)
	case !path.IsAbs(dir) || path.Clean(dir) == "/":
		return target{}, fmt.Errorf("%q is not the absolute path of a folder on %s; write the target as user@host:/folder", dir, host)
	case strings.ContainsAny(dir, "\"'\\\n*?[ "):
		return target{}, fmt.Errorf("the folder %q contains characters that are special in a shell or sftp; choose another folder", dir)
	}
	return target{host: host, dir: path.Clean(dir)}, nil
}

func (t target) String() string {
	if t.host == "" {
		return t.dir
	}
	return t.host + ":" + t.dir
}

// run runs a script with sh on the target's machine, and returns the script's standard output.
func (t target) run(ctx context.Context, script string) (string, error) {
	if t.host == "" {
		return shell(ctx, script)
	}
	// Pass the script on standard input so that the host's login shell doesn't interpret it.
	cmd := exec.CommandContext(ctx, "ssh", t.host, "sh", "-es")
	cmd.Stdin = strings.NewReader(script + "\n")
	return output(cmd)
}

// copy copies files and folders from a local folder into a folder on the target's machine. It uses rsync if both
// machines have it, because rsync can continue an interrupted copy and doesn't copy files that are unchanged since the
// build called last. Otherwise, it uses sftp, or cp on this machine.
func (t target) copy(ctx context.Context, from, to, last string, names ...string) error {
	if t.hasRsync(ctx) {
		arguments := t.rsync(to, last)
		for _, name := range names {
			arguments = append(arguments, filepath.Join(from, name))
		}
		if t.progress != nil {
			arguments = append([]string{"--info=progress2"}, arguments...)
		}
		cmd := exec.CommandContext(ctx, "rsync", append(arguments, t.at(to))...)
		if t.progress != nil {
			cmd.Stdout = t.progress
		}
		_, err := output(cmd)
		return err
	}
	if t.host == "" {
		for _, name := range names {
			at := path.Join(to, name)
			if _, err := shell(ctx, "rm -rf "+quote(at)+"; cp -R "+quote(filepath.Join(from, name))+" "+quote(at)); err != nil {
				return err
			}
		}
		return nil
	}
	var batch strings.Builder
	for _, name := range names {
		fmt.Fprintf(&batch, "put -r %s %s/\n", sftpQuote(filepath.Join(from, name)), to)
	}
	cmd := exec.CommandContext(ctx, "sftp", "-b", "-", t.host)
	cmd.Stdin = strings.NewReader(batch.String())
	_, err := output(cmd)
	return err
}

// rsync returns the arguments for rsync, without the names of the files. With these arguments, rsync compares files by
// checksum, because modification times differ from build to build.
func (t target) rsync(to, last string) []string {
	arguments := []string{"--recursive", "--checksum", "--delete", "--chmod=D755,F644"}
	if last != "" {
		arguments = append(arguments, "--link-dest="+path.Join(path.Dir(to), last))
	}
	return arguments
}

// copying describes, for a dry run, the command that copy would run.
func (t target) copying(from, to, last string) string {
	return "rsync " + strings.Join(t.rsync(to, last), " ") + " " + from + "/{public,coded}, then manifest, " + t.at(to) + " (sftp or cp without rsync)"
}

func (t target) at(folder string) string {
	if t.host == "" {
		return folder + "/"
	}
	return t.host + ":" + folder + "/"
}

func (t target) hasRsync(ctx context.Context) bool {
	if _, err := exec.LookPath("rsync"); err != nil {
		return false
	}
	_, err := t.run(ctx, "command -v rsync")
	return err == nil
}

// shell runs a script with sh on this machine, with additional environment variables. It returns the script's standard
// output.
func shell(ctx context.Context, script string, environment ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-ec", script)
	cmd.Env = append(os.Environ(), environment...)
	return output(cmd)
}

// output runs a command and returns its standard output. If the command fails, the error contains the end of the
// command's standard error and standard output.
func output(cmd *exec.Cmd) (string, error) {
	var out, problems bytes.Buffer
	cmd.Stderr = &problems
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	cmd.WaitDelay = time.Second // for background processes that the command may have started
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if err != nil {
		said := strings.TrimSpace(problems.String() + out.String())
		err = fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, said[max(0, len(said)-2000):])
	}
	return out.String(), err
}

// quote quotes a word for sh.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// sftpQuote quotes a word for an sftp batch file.
func sftpQuote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(word) + `"`
}
