package config_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Wrong usage exits 2, what cannot be done exits 1, and each says what to do.
func TestConfigSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{nil, 2, "vitrine config needs one of nginx, caddy, varnish, systemd, docker"},
		{[]string{"apache"}, 2, `there is no target "apache"`},
		{[]string{"nginx", "--build", "no-such-folder"}, 1, "run vitrine build first"},
		{[]string{"varnish", "--upstream", "here"}, 1, "is not a host and a port"},
		{[]string{"varnish", "--upstream", "a;b:1"}, 1, "is not a host and a port"},
		{[]string{"nginx", "--build", sample, "--cache", "a b"}, 1, "give an absolute path"},
		{[]string{"nginx", "--build", sample, "--files", openDir(t) + "/a b"}, 1, "without spaces"},
	} {
		out, err := exec.Command(filepath.Join(binaries, "vitrine"), append([]string{"config"}, test.arguments...)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != test.code || !strings.Contains(string(out), test.says) {
			t.Errorf("vitrine config %s: %v, want exit code %d and %q in:\n%s", strings.Join(test.arguments, " "), err, test.code, test.says, out)
		}
	}
}

// One build gives one configuration, byte for byte.
func TestConfigIsReproducible(t *testing.T) {
	files := openDir(t)
	for _, arguments := range [][]string{
		{"nginx", "--build", sample, "--files", files}, {"caddy", "--build", sample, "--files", files},
		{"nginx", "--build", sample}, {"caddy", "--build", sample}, {"varnish"}, {"systemd"}, {"docker"},
	} {
		first, second := config(t, arguments...), config(t, arguments...)
		if first != second {
			t.Errorf("vitrine config %s prints something else the second time", strings.Join(arguments, " "))
		}
	}
}
