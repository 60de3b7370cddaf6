package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
)

// step parses a line after the status of a response.
func (p *parser) step(l line) (Step, error) {
	s := Step{Line: l.number, Text: l.text}
	var err error
	switch word, rest, _ := strings.Cut(l.text, " "); word {
	case "no":
		s.run, err = absence(rest)
	case "keep":
		s.run, err = p.keep(rest)
	default:
		s.run, err = p.checkLine(word, rest, l.block)
	}
	return s, err
}

// absence parses the text after the word "no" and returns the check that a header field or a JSON value is missing.
func absence(rest string) (func(*Answer, *values) error, error) {
	switch what, name, _ := strings.Cut(rest, " "); what {
	case "header":
		return noHeader(name), nil
	case "json":
		path, err := parsePath(name)
		return noJSON(path), err
	}
	return nil, fmt.Errorf("unknown step %q; want \"no header NAME\" or \"no json PATH\"", "no "+rest)
}

// checkLine parses a check: a subject, an operator, and an expected value.
func (p *parser) checkLine(word, rest, block string) (func(*Answer, *values) error, error) {
	if run, ok, err := p.special(word, rest, block); ok || err != nil {
		return run, err
	}
	of, rest, err := p.subject(word, rest)
	if err != nil {
		return nil, err
	}
	for _, op := range operators() {
		want, ok := strings.CutPrefix(rest, op.name)
		if !ok || want != "" && want[0] != ' ' {
			continue
		}
		wanted := text(strings.TrimPrefix(want, " ") + block)
		if err := p.checkWanted(op, wanted); err != nil {
			return nil, err
		}
		return check(of, op, wanted), nil
	}
	return nil, fmt.Errorf("cannot read %q; want an operator such as = or contains", rest)
}

// checkWanted returns an error if want is invalid for op or names an unknown value.
func (p *parser) checkWanted(op operator, want text) error {
	if err := p.check(want); err != nil {
		return err
	}
	if op.name == "~" {
		return compiles(want)
	}
	if op.name == "under" || op.name == "within" {
		_, _, err := op.holds("", want, newValues(nil))
		return err
	}
	return nil
}

// compiles returns an error if t is not a valid regular expression.
func compiles(t text) error {
	_, err := whole(placeholder.ReplaceAllString(string(t), "x"))
	return err
}

// subject parses the subject of a check, and returns the text after it.
func (p *parser) subject(word, rest string) (subject, string, error) {
	switch word {
	case "status":
		return statusOf, rest, nil
	case "length":
		return lengthOf, rest, nil
	case "body":
		return bodyOf, rest, nil
	case "decoded":
		if rest, ok := strings.CutPrefix(rest, "body"); ok {
			return decodedOf, strings.TrimPrefix(rest, " "), nil
		}
	}
	name, rest, _ := strings.Cut(rest, " ")
	switch word {
	case "header":
		return headerOf(name), rest, nil
	case "link":
		return linkOf(strings.ToLower(name)), rest, nil
	case "kept":
		return keptOf(name), rest, p.check(text("{" + name + "}"))
	case "json":
		path, err := parsePath(name)
		return jsonOf(path), rest, err
	}
	return nil, "", fmt.Errorf("unknown subject %q; want status, length, header, link, body, decoded body, json, or kept", word)
}

// special parses a check that applies to only one kind of subject, such as "body fits ETag". It returns false if the
// line isn't such a check.
func (p *parser) special(word, rest, block string) (func(*Answer, *values) error, bool, error) {
	name, op, _ := strings.Cut(rest, " ")
	if word == "json" && name == "besides" {
		member, want, _ := strings.Cut(op, " =")
		wanted := text(strings.TrimPrefix(want, " ") + block)
		return jsonBesides(member, wanted), true, p.check(wanted)
	}
	op, want, _ := strings.Cut(op, " ")
	wanted := text(want + block)
	switch {
	case word == "body" && rest == "fits ETag":
		return fitsETag, true, nil
	case word == "body" && rest == "fits Repr-Digest":
		return fitsReprDigest, true, nil
	case word == "header" && op == "lists":
		return headerLists(name, wanted), true, p.check(wanted)
	case word == "link" && op == "=":
		return linkIs(strings.ToLower(name), wanted), true, p.check(wanted)
	case word == "json" && (op == "=" || op == "lists" || op == "is"):
		run, err := p.jsonCheck(name, op, wanted)
		return run, true, err
	}
	return nil, false, nil
}

// jsonCheck parses the checks that compare JSON values.
func (p *parser) jsonCheck(name, op string, want text) (func(*Answer, *values) error, error) {
	path, err := parsePath(name)
	if err != nil {
		return nil, err
	}
	switch op {
	case "=":
		return jsonIs(path, want), p.check(want)
	case "lists":
		return jsonLists(path, want), p.check(want)
	}
	name, optional := strings.CutSuffix(string(want), " or absent")
	if !slices.Contains(types(), name) {
		return nil, fmt.Errorf("unknown type %q; want one of %v", name, types())
	}
	return jsonType(path, name, optional), nil
}

var keepLine = lazyregexp.New(`^(?:up to ([0-9]+) )?([A-Z][A-Z0-9_]*) = (.+)$`)

// keep parses the text after the word "keep" and adds the name of the kept value to p.known.
func (p *parser) keep(rest string) (func(*Answer, *values) error, error) {
	m := keepLine.FindStringSubmatch(rest)
	if m == nil {
		return nil, fmt.Errorf("cannot read %q; write it as: keep TAG = header ETag", "keep "+rest)
	}
	word, source, _ := strings.Cut(m[3], " ")
	of, source, err := p.subject(word, source)
	if err != nil {
		return nil, err
	}
	k := keeper{of: of, name: m[2]}
	if m[1] != "" {
		if k.most, _ = strconv.Atoi(m[1]); k.most == 0 {
			return nil, fmt.Errorf("keep up to 0: want a number of at least 1")
		}
	}
	if source != "" {
		expr, ok := strings.CutPrefix(source, "~ ")
		if !ok {
			return nil, fmt.Errorf("cannot read %q; want ~ and a regular expression, or the end of the line", source)
		}
		if err := compiles(text(expr)); err != nil {
			return nil, err
		}
		k.pattern = text(expr)
		if err := p.check(k.pattern); err != nil {
			return nil, err
		}
	}
	p.known = append(p.known, k.name)
	return k.keep, nil
}
