package brand

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// stacks are the letters that every system has, by the words of site.yaml.
var stacks = map[string]string{
	"system": `-apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,var(--script-font,sans-serif)`,
	"serif":  `"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",P052,"Noto Serif","Liberation Serif",Georgia,serif`,
	"mono":   `ui-monospace,"SF Mono","Cascadia Code","Roboto Mono",Menlo,Consolas,"Liberation Mono",monospace`,
}

// font reads what letters look like: a file, or families that every system has.
func (l *looker) font(key string, ref site.Reference) (f *File, stack string) {
	if ref.Target == "" || stacks[ref.Target] != "" {
		return nil, stacks[ref.Target]
	}
	if !strings.Contains(ref.Target, ".") {
		l.wrong(ref.Pos, rule.WrongValue, "theme.%s: want system, serif, mono, or a woff2 file below %s, found %q", key, folder, ref.Target)
		return nil, ""
	}
	f, ok := l.read(key, ref, maxFont, fontAdvice)
	if !ok {
		return nil, ""
	}
	var err error
	if f.Variable, err = inspectFont(f.Body); err != nil || f.Extension != ".woff2" {
		if err == nil {
			err = errors.New("its name does not end in .woff2")
		}
		l.wrong(ref.Pos, rule.LookFile, "theme.%s: %s is no woff2 that can be used: %v; make one of it with woff2_compress or fonttools", key, ref.Target, err)
		return nil, ""
	}
	if len(f.Body) > sensibleFont {
		l.problems = append(l.problems, site.Problem{Path: configFile, Pos: ref.Pos, Severity: site.Warning, Code: rule.LargeFont,
			Text: fmt.Sprintf("theme.%s: %s has %d KiB, which every new reader waits for; %s", key, ref.Target, len(f.Body)/kib, fontAdvice)})
	}
	return f, ""
}

// inspectFont reads the header and the directory of a WOFF2 font (W3C, WOFF File Format 2.0, §4).
// variable reports that it has a table of axes.
func inspectFont(data []byte) (variable bool, err error) {
	const headerSize, fvar, other = 48, 47, 63
	cut := errors.New("the file ends in the middle")
	switch {
	case len(data) < 4 || string(data[:4]) != woff2Signature:
		return false, fmt.Errorf("it does not begin with %q", woff2Signature)
	case len(data) < headerSize || int64(binary.BigEndian.Uint32(data[8:])) != int64(len(data)):
		return false, cut
	}
	rest := data[headerSize:]
	number := func() bool { // UIntBase128
		for i := 0; i < 5 && i < len(rest); i++ {
			if rest[i]&0x80 == 0 {
				rest = rest[i+1:]
				return true
			}
		}
		return false
	}
	for range binary.BigEndian.Uint16(data[12:]) {
		if len(rest) == 0 {
			return false, cut
		}
		tag, version := rest[0]&63, rest[0]>>6
		if rest = rest[1:]; tag == other {
			if len(rest) < 4 {
				return false, cut
			}
			variable = variable || string(rest[:4]) == "fvar"
			rest = rest[4:]
		}
		variable = variable || tag == fvar
		// Of glyf and loca, version 3 is the one without a transformation.
		transformed := version != 0
		if tag == 10 || tag == 11 {
			transformed = version != 3
		}
		if !number() || transformed && !number() {
			return false, cut
		}
	}
	return variable, nil
}
