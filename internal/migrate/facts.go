package migrate

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/source"
)

// fact is a value from the old site's settings. Key is the name of a link, such as github, or "" for other facts. From
// names the settings file and the key that contain the value.
type fact struct{ Key, Value, From string }

// facts are the values that an import writes into site.yaml and product.yaml. The import writes the logo and the
// favicon only as suggestions in comments, because a logo replaces the site's name. A fact with an empty value is
// unknown.
type facts struct {
	Links                          []fact
	Contact, Accent, Logo, Favicon fact
}

// socialHosts maps the hosts of social networks and code platforms to the names of their links in product.yaml.
var socialHosts = map[string]string{
	"github.com": "github", "gitlab.com": "gitlab", "codeberg.org": "codeberg", "x.com": "x", "twitter.com": "twitter", "bsky.app": "bluesky", "mastodon.social": "mastodon",
	"fosstodon.org": "mastodon", "hachyderm.io": "mastodon", "discord.gg": "discord", "discord.com": "discord", "youtube.com": "youtube", "linkedin.com": "linkedin",
	"facebook.com": "facebook", "instagram.com": "instagram", "reddit.com": "reddit", "slack.com": "slack", "t.me": "telegram", "opencollective.com": "opencollective",
}

// userKeys maps settings whose value is a user name to the prefix of the user's profile address.
var userKeys = map[string]string{"github_username": "https://github.com/", "twitter_username": "https://twitter.com/", "linkedin_username": "https://www.linkedin.com/in/", "facebook_username": "https://www.facebook.com/"}

var (
	hexColor   = lazyregexp.New(`^#[0-9a-fA-F]{6}$`)
	mailText   = lazyregexp.New(`^(?:mailto:)?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)$`)
	userName   = lazyregexp.New(`^@?([\w.-]+)$`)
	colorKey   = lazyregexp.New(`(?i)(?:^|[/_-])(?:primary|accent|brand|theme_?color|primary_?color)$`)
	contactKey = lazyregexp.New(`(?i)(?:^|/)(?:contact|e?-?mail|contact_?email)$`)
	logoKey    = lazyregexp.New(`(?i)(?:^|[/_-])logo(?:/(?:src|light|image|url|path))?$`)
	iconKey    = lazyregexp.New(`(?i)(?:^|[/_-])favicon(?:/(?:src|light))?$`)
)

// findFacts returns the facts in the old site's settings.
func (im *importer) findFacts() (f facts) {
	for _, s := range im.Settings {
		name := source.Fallback(s.Name, "the old site's settings")
		eachText(s.Node, "", 0, func(at, value string) {
			f.note(im, fact{Value: value, From: name + ", " + strings.ReplaceAll(at, "/", ".")}, at)
		})
	}
	return f
}

// eachText calls visit for each nonempty string in n. The path that visit receives consists of at and the string's
// keys, separated by slashes.
func eachText(n *tree.Node, at string, depth int, visit func(at, value string)) {
	if n == nil || depth > 12 {
		return
	}
	if s := source.Text(n); s != "" {
		visit(at, s)
	}
	for _, one := range n.Items {
		eachText(one, at, depth+1, visit)
	}
	for _, m := range n.Members {
		eachText(m.Value, strings.TrimPrefix(at+"/"+m.Key, "/"), depth+1, visit)
	}
}

// note adds one, a value from the settings, to f if the key path at or the value identifies it as a fact. It keeps the
// first value of each kind, because settings usually contain the site's values before other values.
func (f *facts) note(im *importer, one fact, at string) {
	last := path.Base(at)
	if prefix := userKeys[last]; prefix != "" {
		if m := userName.FindStringSubmatch(one.Value); m != nil {
			one.Value = prefix + m[1]
		}
	}
	switch m := mailText.FindStringSubmatch(one.Value); {
	case m != nil && contactKey.MatchString(at) && f.Contact.Value == "":
		one.Value = m[1]
		f.Contact = one
	case hexColor.MatchString(one.Value) && colorKey.MatchString(at) && f.Accent.Value == "":
		f.Accent = one
	case logoKey.MatchString(at) && f.Logo.Value == "":
		f.Logo = im.staticFile(one)
	case iconKey.MatchString(at) && f.Favicon.Value == "":
		f.Favicon = im.staticFile(one)
	default:
		f.link(one)
	}
}

// staticFile returns the fact with its value replaced by the name of the file in content/static/, or an empty fact if
// there is no such file.
func (im *importer) staticFile(one fact) fact {
	at := path.Join("/", pathOf(one.Value))
	for _, try := range []string{at, strings.TrimPrefix(at, "/static"), strings.TrimPrefix(at, "/public")} {
		f := im.fileByAddress[strings.ToLower(cleanFile(try))]
		if f == nil {
			continue
		}
		if name, ok := strings.CutPrefix(f.Name, "static/"); ok && !f.Linked {
			one.Value = name
			return one
		}
	}
	return fact{}
}

// link adds one to f.Links if its value is the address of a page on a host in socialHosts and f contains no link to
// that site yet.
func (f *facts) link(one fact) {
	u, err := url.Parse(one.Value)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" || strings.ContainsAny(one.Value, "{}<>$ ") {
		return
	}
	one.Key = socialHosts[strings.TrimPrefix(strings.ToLower(u.Host), "www.")]
	depth := len(strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' }))
	if one.Key == "" || depth == 0 || depth > 2 || slices.ContainsFunc(f.Links, func(other fact) bool { return other.Key == one.Key }) {
		return
	}
	f.Links = append(f.Links, one)
}
