// Package soak tests vitrined's guarantees under load, faults, and bad input: no request fails while builds are loaded
// or the server stops, memory is bounded for all clients, and the server recovers from shortages. The package's tests
// are the short form of the proofs. The command in the folder run, which make soak starts, is the long form and prints
// a table.
//
// The package runs the real program on 127.0.0.1 and compares every body with the hash in its ETag, so a response that
// is truncated or mixes two builds fails the test.
package soak

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vitrine/internal/lab/rig"
)

// Bench contains the program to test and three builds of a small site: two intact and one damaged.
type Bench struct {
	dir      string
	vitrined string
	// first and second are intact builds. broken is a copy of second with one flipped bit.
	first, second, broken string
	// cert and key are files for TLS.
	cert, key string
	// crowd is the maximum number of connections in a crowd, which the system's open file limit may reduce.
	crowd int
	// Scale is the factor for all counts and times. With a Scale of 1, a run takes about five minutes.
	Scale float64
	// Only selects proofs by name and server, such as "idle connections, fast". If nil, it selects all.
	Only *regexp.Regexp
}

// Paths of the pages that clients request.
const (
	// longPage is a page of about 400 KB.
	longPage = "/blog/long"
	// page is a short page.
	page = "/blog/short"
)

// NewBench builds the sites in the empty folder dir and returns a Bench that uses them.
func NewBench(ctx context.Context, dir string, scale float64) (*Bench, error) {
	b := &Bench{
		dir: dir, Scale: scale,
		first: filepath.Join(dir, "first"), second: filepath.Join(dir, "second"), broken: filepath.Join(dir, "broken"),
		cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"),
	}
	var err error
	if b.crowd, err = moreFiles(); err != nil {
		return nil, err
	}
	programs, err := rig.Compile()
	if err != nil {
		return nil, err
	}
	b.vitrined = programs.Vitrined
	for out, word := range map[string]string{b.first: "One", b.second: "Two", b.broken: "Two"} {
		root := filepath.Join(dir, "site-"+filepath.Base(out))
		site := rig.TinySite(word, "")
		site["content/blog/short.md"] = "---\ntitle: Short\ndate: 2026-01-01\n---\n\n" + word + ".\n"
		site["content/blog/long.md"] = "---\ntitle: Long\ndate: 2026-01-02\n---\n\n" + strings.Repeat("The word of this page is "+word+", again and again.\n\n", 8000)
		if err := errors.Join(rig.WriteFiles(root, site), rig.BuildSite(ctx, root, out, rig.Options{})); err != nil {
			return nil, err
		}
	}
	if err := flip(filepath.Join(b.broken, "manifest")); err != nil {
		return nil, err
	}
	return b, writeCertificate(b.cert, b.key)
}

// flip inverts a bit in the middle of a file.
func flip(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 1
	return os.WriteFile(name, data, 0o666)
}

// times returns n scaled by b.Scale, but at least 1.
func (b *Bench) times(n int) int { return max(1, int(float64(n)*b.Scale)) }

// writeCertificate writes a self-signed certificate for 127.0.0.1 and its key.
func writeCertificate(cert, key string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
	)
}
