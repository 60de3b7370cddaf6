//go:build proof && unix

package deploy_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"vitrine/internal/lab/rig"
)

// Deploys over ssh work with and without rsync: with programs that use this machine as the host, and with a real sshd.
func TestSSH(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testing.T, *machine) string{
		"a program in its place": func(t *testing.T, m *machine) string {
			m.script(t, "ssh", `if [ "$1" = -l ]; then shift 2; fi; shift; exec sh -c "$*"`)
			return "operator@host"
		},
		"sshd, rsync": realSSH,
		"sshd, sftp": func(t *testing.T, m *machine) string {
			host := realSSH(t, m)
			m.without(t, "rsync")
			return host
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			target := prepare(t, m) + ":" + m.dir
			m.must(t, built(t, "Title One"), target, "Title One")
			m.must(t, built(t, "Title Two"), target, "Title Two")
			if code, out := m.deploy(t, built(t, "Title Three"), target, "--reload", "true", "--wait", "2s"); code != 1 {
				t.Errorf("what nothing loads ends with %d:\n%s", code, out)
			}
			m.serves(t, "Title Two")
		})
	}
	m := newMachine(t)
	for _, target := range []string{":/srv", "host:relative", "host:/", "-oProxyCommand=x:/srv", "host:/a b"} {
		if code, out := m.deploy(t, built(t, "Title"), target, "--reload", "true"); code == 0 {
			t.Errorf("%q is read as a target:\n%s", target, out)
		}
	}
}

// realSSH starts the sshd of Debian's openssh-server on this machine. It accepts only this test's keys.
func realSSH(t *testing.T, m *machine) string {
	sshd := rig.Tool(t, "sshd", "/usr/sbin/sshd")
	dir := t.TempDir()
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v\n%s", err, out)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	_ = os.MkdirAll("/run/sshd", 0o755) // sshd requires it for root
	files := map[string]string{
		"sshd_config": fmt.Sprintf("ListenAddress 127.0.0.1:%s\nHostKey %[2]s/host\nAuthorizedKeysFile %[2]s/user.pub\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n", port, dir),
		"ssh_config":  fmt.Sprintf("Host machine\n\tHostName 127.0.0.1\n\tPort %s\n\tIdentityFile %[2]s/user\n\tIdentitiesOnly yes\n\tUserKnownHostsFile /dev/null\n\tStrictHostKeyChecking no\n\tLogLevel ERROR\n", port, dir),
	}
	if err := rig.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sshd, "-D", "-e", "-f", filepath.Join(dir, "sshd_config"))
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("sshd says:\n%s", text)
		}
	})
	rig.Listens(t, "127.0.0.1:"+port)
	for _, name := range []string{"ssh", "sftp"} {
		m.script(t, name, `exec /usr/bin/`+name+` -F `+dir+`/ssh_config "$@"`)
	}
	return "machine"
}
