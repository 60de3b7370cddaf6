package deploy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"time"
)

// ErrLocked is wrapped by the error of a deploy or a pull that couldn't start because another deploy or pull holds the
// lock.
var ErrLocked = errors.New("another deploy is in progress")

// lockFile is the file that is locked while a deploy to its folder is in progress. It contains a description of the
// deploy; see holder.
const lockFile = ".deploy-lock"

// errNoFlock is returned if the target's machine doesn't have the command flock.
var errNoFlock = errors.New("flock is not installed")

// lock locks the target's folder. If another deploy holds the lock, lock waits for at most patience, rounded to
// seconds. A process on the target's machine holds the lock until its standard input ends, so a killed deploy leaves no
// lock. unlock returns after the lock is released.
func (t target) lock(ctx context.Context, holder string, patience time.Duration, report func(string)) (unlock func(), err error) {
	script := fmt.Sprintf(`command -v flock >/dev/null || { echo none; exit; }
mkdir -p %[1]s; cd %[1]s; exec 9>>%[2]s
left=%[4]d
until flock -n 9; do
	[ $left = %[4]d ] && echo "held $(cat %[2]s)"
	[ $left -gt 0 ] || { echo "busy $(cat %[2]s)"; exit; }
	left=$((left-1)); sleep 1
done
printf '%%s\n' %[3]s >%[2]s; echo locked; cat >/dev/null; : >%[2]s
`, quote(t.dir), lockFile, quote(holder), int(patience.Round(time.Second)/time.Second))
	// Don't cancel this command with ctx, because an interrupted deploy must hold the lock until it has rolled back.
	cmd := exec.Command("sh", "-s")
	if t.host != "" {
		cmd = exec.Command("ssh", t.host, "sh", "-s")
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", t, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", t, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("locking %s: %w", t, err)
	}
	end := func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait() // the connection may already have ended
	}
	// Until the folder is locked, the end of ctx ends the command. After that, only unlock ends the command.
	stop := context.AfterFunc(ctx, func() { _ = in.Close(); _ = cmd.Process.Kill() })
	defer func() {
		stop()
		if err != nil {
			end()
		}
	}()
	if _, err := io.WriteString(in, script); err != nil {
		return nil, fmt.Errorf("locking %s: %w", t, err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		word, by, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "locked":
			return end, nil
		case "held":
			report(fmt.Sprintf("waiting up to %s for the deploy by %s", patience, orUnknown(by)))
		case "busy":
			return nil, fmt.Errorf("%w, by %s; run the command again when that deploy finishes", ErrLocked, orUnknown(by))
		case "none":
			return nil, errNoFlock
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("locking %s: the shell on the target exited", t)
}

func orUnknown(holder string) string {
	if holder == "" {
		return "somebody"
	}
	return holder
}

// holder returns a description of this deploy for other deploys: its user, machine, process ID, and start time.
func holder() string {
	name, machine := "somebody", "this machine"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil {
		machine = h
	}
	plain := strings.NewReplacer("\n", " ", "\r", " ")
	return plain.Replace(fmt.Sprintf("%s@%s, process %d, since %s", name, machine, os.Getpid(), time.Now().UTC().Format(time.RFC3339)))
}
