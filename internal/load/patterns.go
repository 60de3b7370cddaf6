package load

import (
	"fmt"
	"strings"
	"time"

	"vitrine/internal/folder"
	"vitrine/internal/load/shape"
	"vitrine/internal/site"
)

// The functions in this file combine a function that checks a string with a pattern, which editing tools apply as the
// user types. A pattern matches every string that the function accepts.

// Patterns for the parts of a URI (RFC 3986), for link URIs, and for contact URIs.
const (
	uriCharacters  = `[!#-;=?-\[\]_a-z~]`
	hostCharacters = `[!$-.0-;=@-\[\]_a-z~]`
	webScheme      = `^[Hh][Tt][Tt][Pp][Ss]?://`
	linkSchemes    = `([Hh][Tt][Tt][Pp][Ss]?|[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):`
	linkPattern    = `^` + linkSchemes + uriCharacters + `+$`
	contactPattern = `^([Hh][Tt][Tt][Pp][Ss]|[Mm][Aa][Ii][Ll][Tt][Oo]|[Tt][Ee][Ll]):` + uriCharacters + `+$`
)

func isWebURL(example string) check {
	return check{webURL, webScheme + hostCharacters + uriCharacters + `*$`, []string{example}}
}

// isLicense returns a check that a string is a path on the site or a web URL.
func isLicense() check {
	look := func(s string) string {
		if strings.HasPrefix(s, "/") {
			return plainPath(s)
		}
		if problem := webURL(s); problem != "" {
			return fmt.Sprintf("want a file path such as /license.xml or an absolute URL, found %q", s)
		}
		return ""
	}
	return check{look, `^/|` + webScheme + hostCharacters + uriCharacters + `*$`, []string{"/license.xml", "https://acorn.example/license.xml"}}
}

func isSiteURL() check {
	return check{siteURL, webScheme + hostCharacters + `+(/[A-Za-z0-9._~-]+)*$`, []string{"https://acorn.example", "https://user.example/acorn"}}
}

func isAbsoluteURI(example string) check {
	return check{absoluteURI, linkPattern, []string{example}}
}

func isSecurityContact() check {
	return check{securityContact, contactPattern, []string{"mailto:security@acorn.example"}}
}

func isEmail() check {
	return check{email, `^[!-~]+@[!-~]+$`, []string{"hello@acorn.example"}}
}

func isCurrency() check {
	return check{currencyCode, `^[A-Z]{3}$`, []string{"EUR", "USD", "GBP", "CHF", "JPY", "SEK"}}
}

func isLanguage() check {
	return check{languageTag, `^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`, []string{"en", "de", "pt-BR"}}
}

func isCommand() check {
	return check{cliName, `^[a-z][a-z0-9-]*$`, []string{"acorn"}}
}

func isLayout() check {
	return check{layoutName, `^[a-z0-9-]+$`, []string{"page", "post", "list", "pricing"}}
}

func isSlug() check {
	return check{slugProblem, `^[^/ \t\n\\?#%]+$`, []string{"first-steps"}}
}

// pathPattern matches every path that decodePath accepts.
const pathPattern = `^/[^?#]*$`

// aliasPattern is like pathPattern, except that the leading slash is optional.
const aliasPattern = `^[^?#]+$`

func isPath() check {
	return check{plainPath, pathPattern, []string{"/docs/api"}}
}

func isLinkTarget() check {
	return check{linkTarget, `^/|^` + linkSchemes + uriCharacters, []string{"/pricing", "https://status.acorn.example"}}
}

func isImageTarget() check {
	return check{imageTarget, `\S`, []string{"cover.png"}}
}

// The functions below derive their shapes from the readers, so the shapes always match the values accepted by Load.

// ProductShape returns the shape of content/product.yaml.
func ProductShape() shape.Shape {
	s := open(productFields(new(site.Product))...).draw()
	s.Never = []string{reservedMember}
	return s
}

// ConfigShape returns the shape of content/site.yaml.
func ConfigShape() shape.Shape {
	return closed(configFields(new(site.Config))...).draw()
}

// QuestionsShape returns the shape of content/questions.yaml.
func QuestionsShape() shape.Shape {
	return each(new([]site.Question), questionFields).draw().OrNull()
}

// PageShape returns the shape of a page's front matter, which is optional.
func PageShape() shape.Shape {
	return frontMatter(new(site.Page), new(string), time.UTC).draw().OrNull()
}

// NameProblem returns a message that explains why name can't be the path of a page's file, or "" if name is valid. name
// is relative to content/ and has no extension.
func NameProblem(name string) string {
	if name == "" {
		return "it is empty"
	}
	if problem := pathProblem("/" + name); problem != "" {
		return problem
	}
	if site.Reserved("/" + name) {
		return fmt.Sprintf(reservedText, "/"+name)
	}
	if folder.Ignored(name) {
		return "files whose names start like this are not published"
	}
	return ""
}
