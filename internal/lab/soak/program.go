package soak

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Bench has what the proofs are made with: the program, and two whole builds
// and a broken one of a small site.
type Bench struct {
	dir      string
	vitrined string
	// first and second are whole builds, broken is second with a flipped bit.
	first, second, broken string
	// cert and key are files for TLS.
	cert, key string
	// Scale multiplies all counts and times; 1 is some five minutes.
	Scale float64
	// Only chooses proofs by name and server, "idle connections, fast"; nil
	// chooses all.
	Only *regexp.Regexp
}

// longPage is a page of some 400 KB, page a short one.
const (
	longPage = "/blog/long"
	page     = "/blog/short"
)

// NewBench compiles the programs and builds the sites in an empty folder.
func NewBench(ctx context.Context, dir string, scale float64) (*Bench, error) {
	b := &Bench{
		dir: dir, Scale: scale, vitrined: filepath.Join(dir, "vitrined"),
		first: filepath.Join(dir, "first"), second: filepath.Join(dir, "second"), broken: filepath.Join(dir, "broken"),
		cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"),
	}
	if err := command(ctx, "go", "build", "-o", dir+string(filepath.Separator), "vitrine/cmd/vitrine", "vitrine/cmd/vitrined"); err != nil {
		return nil, err
	}
	for word, out := range map[string]string{"One": b.first, "Two": b.second, "Two ": b.broken} {
		root := filepath.Join(dir, "site-"+filepath.Base(out))
		if err := writeSite(root, strings.TrimSpace(word)); err != nil {
			return nil, err
		}
		if err := command(ctx, filepath.Join(dir, "vitrine"), "build", "--root", root, "--out", out); err != nil {
			return nil, err
		}
	}
	if err := flip(filepath.Join(b.broken, "manifest")); err != nil {
		return nil, err
	}
	return b, writeCertificate(b.cert, b.key)
}

// flip flips a bit in the middle of a file.
func flip(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 1
	return os.WriteFile(name, data, 0o666)
}

func command(ctx context.Context, name string, arguments ...string) error {
	if out, err := exec.CommandContext(ctx, name, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(arguments, " "), err, out)
	}
	return nil
}

// times scales a count, to at least one.
func (b *Bench) times(n int) int { return max(1, int(float64(n)*b.Scale)) }

// writeSite writes a site whose pages have a word in them.
func writeSite(root, word string) error {
	for name, text := range map[string]string{
		"content/product.yaml": `name: Tiny
url: https://tiny.example
description: A small product.
audience: [Everyone]
capabilities: [Being small]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one thing.
  unlimitedReps: true
  unlimitedTeams: true
  plans: [{name: Only, monthlyPrice: 9, includedCredits: 1}]
  url: https://tiny.example/pricing
contact: hello@tiny.example
links: {}
`,
		"content/site.yaml":     "baseURL: https://tiny.example\ntitle: Tiny\n",
		"content/index.md":      "# " + word + "\n\nText.\n",
		"content/pricing.md":    "---\ntitle: Pricing\nlayout: pricing\n---\n",
		"content/blog/short.md": "---\ntitle: Short\ndate: 2026-01-01\n---\n\n" + word + ".\n",
		"content/blog/long.md":  "---\ntitle: Long\ndate: 2026-01-02\n---\n\n" + strings.Repeat("The word of this page is "+word+", again and again.\n\n", 8000),
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
