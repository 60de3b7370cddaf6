package compare

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Purgers are the hosts whose form of a purge list is known.
func Purgers() []string { return []string{"netlify", "cloudflare", "varnish"} }

// perRequest is how many URLs one Cloudflare request may name on every plan.
const perRequest = 30

// WritePurge writes the list of what to purge in the form that a host takes:
//
//   - cloudflare: bodies for POST /zones/<zone>/purge_cache, one on each line
//   - varnish: commands for varnishadm, one on each line
//   - netlify: a body for POST https://api.netlify.com/api/v1/purge, for the site
//     with an id; the tags are NetlifyTag of the paths
//
// Nothing is written where nothing is to be purged.
func (d *Diff) WritePurge(w io.Writer, host, netlifySite string) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	var err error
	switch host {
	case "cloudflare":
		err = d.cloudflare(encoder)
	case "varnish":
		d.varnish(out)
	case "netlify":
		err = d.netlify(encoder, netlifySite)
	default:
		err = fmt.Errorf("there is no purge list for %q; there is one for %s", host, strings.Join(Purgers(), ", "))
	}
	if err != nil {
		return err
	}
	return out.Flush()
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

// varnish writes bans of the paths, whatever query they were asked with, and
// whatever host: the answers do not depend on Host, so that a ban for one host
// would leave copies that came in by another.
func (d *Diff) varnish(w io.Writer) {
	for _, path := range d.Purge {
		fmt.Fprintf(w, "ban req.url ~ \"^%s([?]|$)\"\n", inQuotes(regexp.QuoteMeta(path)))
	}
}

// inQuotes writes text for a quoted argument of varnishadm, which reads escapes.
func inQuotes(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

func (d *Diff) netlify(encoder *json.Encoder, site string) error {
	if len(d.Purge) == 0 {
		return nil
	}
	body := struct {
		Site string   `json:"site_id"`
		Tags []string `json:"cache_tags"`
	}{Site: site}
	for _, path := range d.Purge {
		body.Tags = append(body.Tags, NetlifyTag(path))
	}
	return encoder.Encode(body)
}

// NetlifyTag is the cache tag of a percent-encoded path. What lets Netlify keep
// an answer sends it as Netlify-Cache-Tag; a comma would part it in two.
func NetlifyTag(path string) string { return strings.ReplaceAll(path, ",", "%2C") }
