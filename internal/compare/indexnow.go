package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// IndexNowEndpoint is the URL that accepts submissions for all search engines that participate in IndexNow.
const IndexNowEndpoint = "https://api.indexnow.org/indexnow"

// IndexNowFile is the file in which a site with the setting indexNow publishes its key.
const IndexNowFile = "indexnow.txt"

// mostSubmitted is the maximum number of URLs in one submission, according to indexnow.org.
const mostSubmitted = 10_000

// Submission is the body of an IndexNow request.
type Submission struct {
	Host        string   `json:"host"`
	Key         string   `json:"key"`
	KeyLocation string   `json:"keyLocation"`
	URLs        []string `json:"urlList"`
}

// IndexNow returns the submissions that report the changes from old to new to search engines: added, removed, and
// redirected pages, and pages with changed Markdown. It omits pages that are excluded from search engines, and pages
// whose HTML has changed but whose Markdown hasn't, so that a new stylesheet doesn't cause a submission of every page.
// dir is the folder of the new build, which contains the key.
func IndexNow(old, new *Snapshot, dir string) ([]Submission, error) {
	name := filepath.Join(dir, "public", IndexNowFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the site's IndexNow key: %w; set indexNow to a key in site.yaml, and build again", err)
	}
	base, err := url.Parse(new.Base)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("the build's base URL is not an absolute URL: %q", new.Base)
	}
	var changed []string
	for _, is := range new.Resources {
		was, known := old.find(is.Path)
		if is.page() && !is.hidden() && (!known || !was.page() || was.hidden() || !sameText(was, is)) {
			changed = append(changed, new.Base+is.Path)
		}
	}
	for _, was := range old.Resources {
		if is, still := new.find(was.Path); was.page() && !was.hidden() && (!still || !is.page()) {
			changed = append(changed, new.Base+was.Path)
		}
	}
	slices.Sort(changed)
	var all []Submission
	for part := range slices.Chunk(changed, mostSubmitted) {
		all = append(all, Submission{Host: base.Host, Key: strings.TrimSpace(string(text)), KeyLocation: new.Base + "/" + IndexNowFile, URLs: part})
	}
	return all, nil
}

// hidden reports whether a page is excluded from search engines.
func (r Resource) hidden() bool {
	return slices.ContainsFunc(r.Variants, func(v Variant) bool { return v.Hidden })
}

// sameText reports whether two states of a page have the same Markdown.
func sameText(was, is Resource) bool {
	for _, v := range is.Variants {
		if before, there := was.variant(v.Type); strings.HasPrefix(v.Type, "text/markdown") && there {
			return before.Hash == v.Hash
		}
	}
	return false
}

// WriteIndexNow writes the bodies of the requests that SendIndexNow would send, one per line.
func WriteIndexNow(w io.Writer, all []Submission) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, s := range all {
		if err := encoder.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

// SendIndexNow sends submissions to an endpoint. It stops at the first failed request, without retrying it.
func SendIndexNow(ctx context.Context, endpoint string, all []Submission) error {
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("unexpected redirect")
	}}
	for _, s := range all {
		body, err := json.Marshal(s)
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
		if err != nil {
			return fmt.Errorf("preparing the IndexNow request: %w", err)
		}
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
		answer, err := client.Do(request)
		if err != nil {
			return fmt.Errorf("notifying search engines: %w", err)
		}
		_ = answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusOK, http.StatusAccepted:
			continue
		case http.StatusForbidden:
			err = fmt.Errorf("the key is not available at %s yet; deploy first", s.KeyLocation)
		case http.StatusUnprocessableEntity:
			err = errors.New("the addresses belong to another host, or the key is invalid")
		case http.StatusTooManyRequests:
			err = errors.New("too many requests; try again later")
		default:
			err = errors.New("the submission was not accepted")
		}
		return fmt.Errorf("%s responded with %s: %w", endpoint, answer.Status, err)
	}
	return nil
}
