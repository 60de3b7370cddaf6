package contract

import "fmt"

// headerOf returns the subject for the value of a header field.
func headerOf(name string) subject {
	return func(a *Answer, _ *values) ([]string, error) {
		value, ok := a.field(name)
		if !ok {
			return nil, &mismatch{"no such header", "a header " + name}
		}
		return []string{value}, nil
	}
}

// bodyOf returns the body as received.
func bodyOf(a *Answer, _ *values) ([]string, error) {
	return []string{string(a.Body)}, nil
}

// decodedOf returns the body with its content coding removed.
func decodedOf(a *Answer, _ *values) ([]string, error) {
	body, err := a.decoded()
	return []string{string(body)}, err
}

// statusOf returns the status code.
func statusOf(a *Answer, _ *values) ([]string, error) {
	return []string{fmt.Sprint(a.Status)}, nil
}

// lengthOf returns the size of the body in bytes.
func lengthOf(a *Answer, _ *values) ([]string, error) {
	return []string{fmt.Sprint(len(a.Body))}, nil
}

// keptOf returns the subject for a kept value, or for each member of a kept list.
func keptOf(name string) subject {
	return func(_ *Answer, v *values) ([]string, error) {
		if many := v.many[name]; many != nil {
			return many, nil
		}
		if one, ok := v.one[name]; ok {
			return []string{one}, nil
		}
		return nil, fmt.Errorf("{%s} has no value", name)
	}
}

// linkOf returns the subject for the resolved target of the first link that has the given relation in the Link field.
func linkOf(relation string) subject {
	return func(a *Answer, v *values) ([]string, error) {
		for _, l := range links(a.Header.Values("Link")) {
			if l.has(relation) {
				url, err := resolve(v.base, l.target)
				return []string{url}, err
			}
		}
		return nil, &mismatch{"no such link", "a Link with rel=" + relation}
	}
}

// jsonOf returns the subject for the values at path in the JSON body, as text.
func jsonOf(path jsonPath) subject {
	return func(a *Answer, _ *values) ([]string, error) {
		nodes, err := path.find(a.Body)
		if err != nil {
			return nil, err
		}
		all := make([]string, len(nodes))
		for i, n := range nodes {
			all[i] = jsonText(n)
		}
		return all, nil
	}
}
