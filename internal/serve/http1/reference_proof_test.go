//go:build proof

package http1_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"vitrine/internal/lab/rig"
)

// nginx agrees with both engines too; see TestReferences.
func TestReferenceOfNginx(t *testing.T) { testReference(t, "nginx", startNginx(t)) }

// startNginx starts an nginx that responds to every request until the end of the test.
func startNginx(t *testing.T) (address string) {
	t.Helper()
	program := rig.Tool(t, "nginx", "/usr/sbin/nginx")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "nginx.conf")
	text := "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nerror_log /dev/null;\nevents {}\nhttp {\n access_log off;\n"
	for _, folder := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += folder + "_temp_path " + dir + "/" + folder + ";\n"
	}
	text += " server { listen " + address + "; location / { return 200 ok; } }\n}\n"
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-e", "stderr", "-c", config)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	rig.Listens(t, address)
	return address
}
