package contract

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// noHeader returns a check that the response lacks the header field called name.
func noHeader(name string) func(*Answer, *values) error {
	return func(a *Answer, _ *values) error {
		if value, ok := a.field(name); ok {
			return &mismatch{name + ": " + value, "no header " + name}
		}
		return nil
	}
}

// noJSON returns a check that the body is JSON and contains no value at path.
func noJSON(path jsonPath) func(*Answer, *values) error {
	return func(a *Answer, _ *values) error {
		if _, err := decode(a.Body); err != nil {
			return &mismatch{err.Error(), "JSON"}
		}
		if nodes, err := path.find(a.Body); err == nil && len(nodes) > 0 {
			return &mismatch{jsonText(nodes[0]), "no such member"}
		}
		return nil
	}
}

// headerLists returns a check that the comma-separated list in the field called name contains member.
func headerLists(name string, member text) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		want, err := v.plain(member)
		if err != nil {
			return err
		}
		got, ok := a.field(name)
		if !ok {
			got = "no such header"
		}
		if !listed(name, got, want) {
			return &mismatch{got, "a list that contains " + want}
		}
		return nil
	}
}

// linkIs returns a check that the response links to target with the given relation.
func linkIs(relation string, target text) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		want, err := v.plain(target)
		if err != nil {
			return err
		}
		if want, err = resolve(v.base, want); err != nil {
			return err
		}
		got := "no such link"
		for _, l := range links(a.Header.Values("Link")) {
			if !l.has(relation) {
				continue
			}
			if got, err = resolve(v.base, l.target); err != nil {
				return &mismatch{l.target, want}
			}
			if got == want {
				return nil
			}
		}
		return &mismatch{got, want}
	}
}

// fitsETag returns a mismatch if the response's ETag doesn't fit the body's bytes.
func fitsETag(a *Answer, _ *values) error {
	got, ok := a.field("ETag")
	if !ok {
		got = "no header ETag"
	}
	if want := a.tag(); got != want {
		return &mismatch{got, want}
	}
	return nil
}

// fitsReprDigest returns a mismatch if Repr-Digest isn't the SHA-256 digest of the body's bytes, as a structured field
// (RFC 9530 §3).
func fitsReprDigest(a *Answer, _ *values) error {
	got, ok := a.field("Repr-Digest")
	if !ok {
		got = "no header Repr-Digest"
	}
	sum := sha256.Sum256(a.Body)
	if want := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"; got != want {
		return &mismatch{got, want}
	}
	return nil
}

// jsonIs returns a check that every value at path equals the expected JSON.
func jsonIs(path jsonPath, want text) func(*Answer, *values) error {
	return eachJSON(path, want, func(node, wanted any) bool { return sameJSON(node, wanted) }, "")
}

// jsonLists returns a check that every array at path contains member.
func jsonLists(path jsonPath, member text) func(*Answer, *values) error {
	return eachJSON(path, member, func(node, wanted any) bool {
		array, _ := node.([]any)
		return slices.ContainsFunc(array, func(n any) bool { return sameJSON(n, wanted) })
	}, "an array that contains ")
}

// eachJSON returns a check that calls holds for each value at path with that value and the expected JSON. The check
// fails if any call returns false. In a mismatch, words precede the expected value.
func eachJSON(path jsonPath, want text, holds func(node, wanted any) bool, words string) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		literal, err := v.plain(want)
		if err != nil {
			return err
		}
		wanted, err := decode([]byte(literal))
		if err != nil {
			return fmt.Errorf("decoding the expected value %s: %w", literal, err)
		}
		nodes, err := path.find(a.Body)
		if err != nil {
			return err
		}
		for _, n := range nodes {
			if !holds(n, wanted) {
				return &mismatch{quoted(n), words + literal}
			}
		}
		return nil
	}
}

// quoted formats a JSON value for an error: a string as a Go string literal, and any other value as JSON.
func quoted(node any) string {
	if s, ok := node.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return jsonText(node)
}

// jsonType returns a check that each value at path has the type called name. If optional is true, the check also
// succeeds if the body has no value at path.
func jsonType(path jsonPath, name string, optional bool) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		if optional && noJSON(path)(a, v) == nil {
			return nil
		}
		nodes, err := path.find(a.Body)
		if err != nil {
			return err
		}
		for _, n := range nodes {
			if !isType(n, name) {
				return &mismatch{quoted(n), "a value of type " + name}
			}
		}
		return nil
	}
}

// jsonBesides returns a check that the body is the expected object plus member, whose value doesn't matter.
func jsonBesides(member string, want text) func(*Answer, *values) error {
	return func(a *Answer, v *values) error {
		literal, err := v.plain(want)
		if err != nil {
			return err
		}
		wanted, err := decode([]byte(literal))
		if err != nil {
			return fmt.Errorf("decoding the expected value: %w", err)
		}
		root, err := decode(a.Body)
		if err != nil {
			return &mismatch{err.Error(), "JSON"}
		}
		object, _ := root.(map[string]any)
		if _, ok := object[member]; !ok {
			return &mismatch{clip(jsonText(root)), "a member " + member}
		}
		rest := maps.Clone(object)
		delete(rest, member)
		if !sameJSON(rest, wanted) {
			return &mismatch{clip(jsonText(rest)), clip(jsonText(wanted))}
		}
		return nil
	}
}

// keeper keeps a part of a response under a name, for later requests and checks of the case.
type keeper struct {
	// of selects the part of the response.
	of   subject
	name string
	// pattern is a regular expression whose matches in the part are kept, or "" to keep the whole part.
	pattern text
	// most is the maximum number of values in a kept list, or 0 to keep a single value.
	most int
}

// keep stores the selected value or values under k.name. It returns a mismatch if there is no value.
func (k keeper) keep(a *Answer, v *values) error {
	found, err := k.of(a, v)
	if err != nil {
		return err
	}
	if k.pattern != "" {
		if found, err = k.groups(found, v); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return &mismatch{"nothing", "a value to keep"}
	}
	delete(v.one, k.name)
	delete(v.many, k.name)
	if k.most > 0 {
		v.many[k.name] = found[:min(k.most, len(found))]
	} else {
		v.one[k.name] = found[0]
	}
	return nil
}

// groups returns the last group of each match of the pattern, or the complete match if the pattern has no group. In the
// pattern, ^ and $ match at the start and end of each line.
func (k keeper) groups(in []string, v *values) ([]string, error) {
	expr, err := v.fill(k.pattern, regexp.QuoteMeta)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?m)" + expr)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, s := range in {
		for _, m := range re.FindAllStringSubmatch(s, -1) {
			found = append(found, m[len(m)-1])
		}
		if len(found) == 0 {
			return nil, &mismatch{clip(s), "a match for " + expr}
		}
	}
	return found, nil
}
