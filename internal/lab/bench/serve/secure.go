//go:build linux

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// Number of HTTP/2 clients, and of concurrent streams per client.
const secureClients, secureStreams = 16, 10

// h2o is the program name of a server that is skipped if it isn't installed.
const h2o = "h2o"

// secure runs the exchanges against TLS servers with the same certificate, over HTTP/2 as browsers do and over HTTP/1.1
// as other programs do, and prints the ratios.
func (s *settings) secure(ctx context.Context, site string) error {
	if _, err := exec.LookPath("h2load"); err != nil {
		return fmt.Errorf("%w; install it with apt-get install nghttp2-client", err)
	}
	if err := s.copyForPeers(ctx, site); err != nil {
		return err
	}
	cert, key, err := s.certificate()
	if err != nil {
		return err
	}
	var servers []*server
	defer func() {
		for _, server := range servers {
			server.stop()
		}
	}()
	for _, start := range []func() (*server, error){
		func() (*server, error) { return s.launchSecure(ctx, site, cert, key) },
		func() (*server, error) {
			return s.launchNginxWith(ctx, "https://", " ssl http2", "on", "ssl_certificate "+cert+"; ssl_certificate_key "+key+"; ssl_protocols TLSv1.2 TLSv1.3;")
		},
		func() (*server, error) {
			return s.launchH2O(ctx, "https://", "  ssl:\n    certificate-file: "+cert+"\n    key-file: "+key+"\n")
		},
		func() (*server, error) { return s.launchCaddy(ctx, "https://", "tls "+cert+" "+key) },
	} {
		server, err := start()
		if err != nil {
			return err
		}
		if server != nil {
			servers = append(servers, server)
		}
	}
	fmt.Printf("\n#### HTTP/2 over TLS on one core\n\nTLS 1.3, a key of P-256, %d connections with %d streams each.\n", secureClients, secureStreams)
	if err := s.sideBySide(ctx, servers, s.askStreams); err != nil {
		return err
	}
	fmt.Printf("\n#### HTTP/1.1 over TLS on one core\n\nThe same servers, %d connections.\n", connections)
	return s.sideBySide(ctx, servers, func(ctx context.Context, to *server, e exchange) (paired.Sample, error) {
		fields, err := fieldsFor(to, e)
		if err != nil {
			return paired.Sample{}, err
		}
		return s.ask(ctx, to, e, fields)
	})
}

// sideBySide runs the unconditional exchanges against the servers, using ask, and prints the comparison.
func (s *settings) sideBySide(ctx context.Context, servers []*server, ask func(context.Context, *server, exchange) (paired.Sample, error)) error {
	fmt.Printf("\n| | bar of ÷ nginx | ours | nginx | h2o | Caddy | ÷ nginx | ÷ nginx by CPU | ÷ h2o | ÷ h2o by CPU | ÷ Caddy |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	const nginx = nginxNamed + "on"
	for _, e := range exchanges() {
		if e.conditional || !s.only.MatchString(e.name) {
			continue
		}
		match := paired.Match{Rounds: s.rounds}
		for _, to := range servers {
			if _, err := fieldsFor(to, e); err != nil {
				return err
			}
			match.Contestants = append(match.Contestants, paired.Contestant{Name: to.name, Run: func(ctx context.Context, _ int) (paired.Sample, error) {
				return ask(ctx, to, e)
			}})
		}
		results, err := match.Run(ctx)
		if err != nil {
			return err
		}
		row := []string{e.name, atLeast(1, results.Ratio(nginx, fast, paired.Wall))}
		for _, name := range []string{fast, nginx, h2o, caddy} {
			row = append(row, show(results, name))
		}
		for _, by := range []struct {
			peer string
			by   func(paired.Sample) float64
		}{{nginx, paired.Wall}, {nginx, paired.CPU}, {h2o, paired.Wall}, {h2o, paired.CPU}, {caddy, paired.Wall}} {
			row = append(row, results.Ratio(by.peer, fast, by.by).String())
		}
		fmt.Printf("| %s |\n", strings.Join(row, " | "))
	}
	return nil
}

// launchSecure starts vitrined with TLS, without a request allowance and otherwise with default settings.
func (s *settings) launchSecure(ctx context.Context, site, cert, key string) (*server, error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	return s.launch(ctx, fast, "https://"+address, false, s.vitrined, "-dir", site, "-addr", address, "-allowance", "0", "-tls-cert", cert, "-tls-key", key)
}

// said matches h2load's summary of a round in which all requests succeeded. Its first two groups are the request rate
// and the number of successful responses.
var said = regexp.MustCompile(`finished in [\d.]+m?s, ([\d.]+) req/s[\s\S]* (\d+) succeeded, 0 failed, 0 errored, 0 timeout[\s\S]*status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx`)

// askStreams is like ask, but uses HTTP/2 and h2load instead of wrk.
func (s *settings) askStreams(ctx context.Context, to *server, e exchange) (sample paired.Sample, err error) {
	arguments := []string{"-t", "1", "-c", strconv.Itoa(secureClients), "-m", strconv.Itoa(secureStreams), "-D", strconv.Itoa(max(1, int(s.length/time.Second)))}
	if e.coding != "" {
		arguments = append(arguments, "-H", "accept-encoding: "+e.coding)
	}
	before := cpuTime(to.cmd.Process.Pid)
	out, err := pinned(ctx, s.clientCores, "h2load", append(arguments, to.url(e))...).Output()
	if err != nil {
		return sample, fmt.Errorf("h2load: %w", err)
	}
	used := cpuTime(to.cmd.Process.Pid) - before
	words := said.FindSubmatch(out)
	if words == nil {
		return sample, fmt.Errorf("%s: output of h2load:\n%s", to.name, out)
	}
	rate, err := strconv.ParseFloat(string(words[1]), 64)
	if err != nil {
		return sample, err
	}
	answers, err := strconv.ParseFloat(string(words[2]), 64)
	return paired.Sample{Wall: time.Duration(float64(time.Second) / rate), CPU: time.Duration(float64(used) / answers)}, err
}

// certificate writes a self-signed certificate for 127.0.0.1 and its key. It returns their paths.
func (s *settings) certificate() (cert, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return "", "", err
	}
	coded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	cert, key = filepath.Join(s.dir, "cert.pem"), filepath.Join(s.dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: coded}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			return "", "", err
		}
	}
	return cert, key, nil
}

// launchH2O starts h2o with additional listen options. It returns nil if h2o isn't installed.
func (s *settings) launchH2O(ctx context.Context, scheme, more string) (*server, error) {
	if _, err := exec.LookPath(h2o); err != nil {
		return nil, nil
	}
	address, err := paired.FreeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	configuration := filepath.Join(s.dir, "h2o-"+strings.TrimSuffix(scheme, "://")+".conf")
	text := fmt.Sprintf("num-threads: 1\nhttp1-request-timeout: 3600\nhttp2-idle-timeout: 3600\nlisten:\n  host: %s\n  port: %s\n%s"+
		"hosts:\n  default:\n    paths:\n      \"/\":\n        file.dir: %s\n        file.send-compressed: ON\n", host, port, more, s.peerDir())
	if os.Geteuid() == 0 {
		text = "user: root\n" + text
	}
	if err := os.WriteFile(configuration, []byte(text), 0o666); err != nil {
		return nil, err
	}
	return s.launch(ctx, h2o, scheme+address, true, h2o, "-c", configuration)
}
