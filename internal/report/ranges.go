package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
)

// Ranges contains the addresses that operators publish for their programs, keyed by the program's name in lower case. A
// request from a program that uses one of these names is unverified if its address is outside the program's ranges.
type Ranges map[string][]netip.Prefix

// Add adds the addresses in text to the ranges of the named program. text is JSON in the format of Google, OpenAI,
// Microsoft, and others ({"prefixes": [{"ipv4Prefix": …}]}), or contains one address or prefix per line, with comments
// after "#". Add returns an error if an address is invalid or the list is empty.
func (r Ranges) Add(name string, text []byte) error {
	var prefixes []netip.Prefix
	add := func(s string) error {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			var a netip.Addr
			if a, err = netip.ParseAddr(s); err == nil {
				p = netip.PrefixFrom(a, a.BitLen())
			}
		}
		if err != nil {
			return fmt.Errorf("reading the addresses for %s: %q is neither an address nor a prefix such as 192.0.2.0/24", name, s)
		}
		prefixes = append(prefixes, p.Masked())
		return nil
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var published struct {
			Prefixes []struct{ IPv4Prefix, IPv6Prefix string }
		}
		if err := json.Unmarshal(text, &published); err != nil {
			return fmt.Errorf("reading the addresses for %s: %w", name, err)
		}
		for _, p := range published.Prefixes {
			if err := add(cmp.Or(p.IPv4Prefix, p.IPv6Prefix)); err != nil {
				return err
			}
		}
	} else {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			if s, _, _ := strings.Cut(lines.Text(), "#"); strings.TrimSpace(s) != "" {
				if err := add(strings.TrimSpace(s)); err != nil {
					return err
				}
			}
		}
	}
	if len(prefixes) == 0 {
		return fmt.Errorf("reading the addresses for %s: the list is empty", name)
	}
	name = strings.ToLower(name)
	r[name] = append(r[name], prefixes...)
	return nil
}

// verified reports whether address is in the published ranges of the named program. It returns true if the program's
// ranges are unknown.
func (r Ranges) verified(name string, address netip.Addr) bool {
	prefixes, known := r[strings.ToLower(name)]
	if !known {
		return true
	}
	for _, p := range prefixes {
		if p.Contains(address) {
			return true
		}
	}
	return false
}
