package compare

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
)

// Purgers returns the names of the hosts that WritePurge supports.
func Purgers() []string { return []string{"cloudflare", "cloudfront", "fastly", "varnish"} }

// perRequest is the maximum number of URLs that Cloudflare accepts in one purge request, regardless of the plan.
const perRequest = 30

// WritePurge writes the purge list in the format that a host accepts:
//
//   - cloudflare: bodies for POST /zones/<zone>/purge_cache, one per line
//   - cloudfront: paths for aws cloudfront create-invalidation, one per line
//   - fastly: URLs for the method PURGE, one per line
//   - varnish: commands for varnishadm, one per line
//
// Netlify needs no purge list, because it doesn't cache the responses of the site's function, and each deploy replaces
// all files. If the list is empty, WritePurge writes nothing.
func (d *Diff) WritePurge(w io.Writer, host string) error {
	out := bufio.NewWriter(w)
	var err error
	switch host {
	case "cloudflare":
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		err = d.cloudflare(encoder)
	case "cloudfront":
		d.lines(out, d.mount())
	case "fastly":
		d.lines(out, d.Base)
	case "varnish":
		d.varnish(out)
	default:
		err = fmt.Errorf("unknown cache %q; want one of %s", host, strings.Join(Purgers(), ", "))
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// lines writes a line for each path, with the prefix base. The paths are percent-encoded, so they contain no quotes,
// spaces, or asterisks, which would have a special meaning for xargs or CloudFront.
func (d *Diff) lines(w io.Writer, base string) {
	for _, path := range d.Purge {
		fmt.Fprintln(w, base+path)
	}
}

func (d *Diff) cloudflare(encoder *json.Encoder) error {
	for start := 0; start < len(d.Purge); start += perRequest {
		var body struct {
			Files []string `json:"files"`
		}
		for _, path := range d.Purge[start:min(start+perRequest, len(d.Purge))] {
			body.Files = append(body.Files, d.Base+path)
		}
		if err := encoder.Encode(body); err != nil {
			return err
		}
	}
	return nil
}

// varnish writes a ban for each path, with any query and any host. Responses don't depend on Host, so a ban for a
// single host would not remove the copies of responses to requests for other hosts.
func (d *Diff) varnish(w io.Writer) {
	for _, path := range d.Purge {
		path = d.mount() + path
		fmt.Fprintf(w, "ban req.url ~ \"^%s([?]|$)\"\n", inQuotes(regexp.QuoteMeta(path)))
	}
}

// mount returns the site's base path, or "" if the site is at the root of its host.
func (d *Diff) mount() string {
	u, err := url.Parse(d.Base)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// inQuotes escapes text for a quoted argument of varnishadm.
func inQuotes(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}
