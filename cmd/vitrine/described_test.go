package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// described is a transport that compares every response of the operation with the site's OpenAPI document: the status,
// the header fields, and the content type.
type described struct {
	t *testing.T
	// once guards the request for the document, which goes to the server of the first request.
	once     sync.Once
	document map[string]any
	mu       sync.Mutex
	// held counts the compared responses, keyed by method and status, such as "GET 200".
	held map[string]int
}

func (d *described) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	d.once.Do(func() {
		response, err := transport.RoundTrip(&http.Request{Method: "GET", URL: &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: "/openapi.json"}, Header: http.Header{}})
		if err != nil {
			d.t.Error(err)
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err == nil {
			err = json.Unmarshal(body, &d.document)
		}
		if err != nil {
			d.t.Error(err)
		}
	})
	response, err := transport.RoundTrip(r)
	if err == nil {
		d.hold(r, response)
	}
	return response, err
}

func (d *described) hold(r *http.Request, response *http.Response) {
	path, _, _ := strings.Cut(r.URL.RequestURI(), "?")
	item, ok := d.at("paths", path)
	if !ok {
		return
	}
	method := strings.ToLower(r.Method)
	if _, ok := item[method]; !ok {
		method = "get" // the document lists the responses to other methods under get
	}
	status := strconv.Itoa(response.StatusCode)
	ref, ok := d.at("paths", path, method, "responses", status)
	if !ok {
		d.t.Errorf("%s %s returned %s, which is not described", r.Method, r.URL, status)
		return
	}
	name := strings.TrimPrefix(ref["$ref"].(string), "#/components/responses/")
	component, _ := d.at("components", "responses", name)
	fields, _ := component["headers"].(map[string]any)
	known := map[string]bool{"Content-Type": true, "Connection": true}
	for field, ref := range fields {
		known[http.CanonicalHeaderKey(field)] = true
		header, _ := d.at("components", "headers", strings.TrimPrefix(ref.(map[string]any)["$ref"].(string), "#/components/headers/"))
		if header["required"] == true && response.Header.Get(field) == "" {
			d.t.Errorf("%s %s, %s (%s): no %s", r.Method, r.URL, status, name, field)
		}
	}
	for field := range maps.Keys(response.Header) {
		if !known[field] {
			d.t.Errorf("%s %s, %s (%s): %s is not described", r.Method, r.URL, status, name, field)
		}
	}
	if content, ok := component["content"].(map[string]any); ok && r.Method != http.MethodHead {
		if _, ok := content[response.Header.Get("Content-Type")]; !ok {
			d.t.Errorf("%s %s, %s (%s): the content type %q is not described", r.Method, r.URL, status, name, response.Header.Get("Content-Type"))
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held[fmt.Sprint(r.Method, " ", status)]++
}

// at returns the object at path in the document.
func (d *described) at(path ...string) (map[string]any, bool) {
	object, ok := d.document, true
	for _, name := range path {
		if object, ok = object[name].(map[string]any); !ok {
			return nil, false
		}
	}
	return object, true
}
