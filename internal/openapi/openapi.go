// Package openapi describes the JSON API in OpenAPI 3.1, for programs that generate clients, validate responses, or
// show documentation. It describes every response in the wire contract with its header fields. The examples are the
// site's real bodies, with numbers exactly as written. The same site always produces the same bytes.
package openapi

import (
	"fmt"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// version is the version of the contract at /api/v1/marketing. Adding members to the product information doesn't change
// the version (specification §9).
const version = "1.0.0"

// Document returns the site's OpenAPI document as JSON, indented by two spaces and with a final newline. It returns an
// error if the product's JSON is not an object.
func Document(s *site.Site) ([]byte, error) {
	discovery, err := artifact.DiscoveryBody(s.Product.JSON, s.Config.BaseURL)
	if err != nil {
		return nil, err
	}
	headers := headers(s)
	answers := responses(s.Product.JSON, discovery, s.Config.BaseURL)
	for i := range answers {
		answers[i].headers = append(answers[i].headers, chosen(&s.Config, answers[i].headers)...)
	}
	responses, err := responseComponents(answers, headers)
	if err != nil {
		return nil, fmt.Errorf("describing the responses: %w", err)
	}
	var items object
	for _, p := range paths() {
		items = append(items, member{p.path, p.item(s.Config.Retirement != nil)})
	}
	document, err := marshal(object{
		{"openapi", "3.1.1"},
		{"info", info(s)},
		{"externalDocs", object{{"description", "The documentation for people"}, {"url", s.Config.BaseURL + documentation(s)}}},
		{"servers", array{object{{"url", s.Config.BaseURL}, {"description", s.Config.Title}}}},
		{"security", array{}},
		{"tags", array{object{{"name", tag}, {"description", "The product's description, audience, and prices."}}}},
		{"paths", items},
		{"components", object{
			{"schemas", schemaComponents()},
			{"responses", responses},
			{"parameters", parameterComponents(artifact.ETag(artifact.Hash(s.Product.JSON), artifact.Identity))},
			{"headers", headerComponents(headers)},
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("writing the OpenAPI document: %w", err)
	}
	return document, nil
}

// info returns the document's info object, which names the interface's owner and summarizes its rules for clients.
func info(s *site.Site) object {
	allowance := site.AllowanceOf(&s.Config, artifact.DefaultLimit, artifact.DefaultWindow)
	description := fmt.Sprintf("Public facts about %s: its capabilities, its audience, and its prices. "+
		"The API is read-only, requires no authentication, and accepts no query parameters.\n\n"+
		"- Clients may cache responses for five minutes, and then revalidate them with `If-None-Match`.\n"+
		"- Each server instance accepts %d requests in %d seconds, for all callers together. Every response has the state of this allowance; "+
		"a request that exceeds it gets 429 with the time to wait in `Retry-After`. Requests that get 304 count too. "+
		"These are the site's defaults; a server may be configured with other numbers, which its responses then contain.\n"+
		"- The supported methods are GET, HEAD, and OPTIONS; other methods get 405.\n"+
		"- Responses may gain members at any time. Clients ignore unknown members.\n"+
		"- Errors are problems (RFC 9457) with a `resolution`.\n"+
		"- Before `%s` is retired, the `Deprecation` and `Sunset` header fields announce it.",
		s.Product.Name, allowance.Limit, allowance.Seconds, artifact.OperationPath)
	terms := termsURL(s)
	return object{
		{"title", s.Product.Name + " product information"},
		{"version", version},
		{"summary", "Public facts about " + s.Product.Name + " as JSON"},
		{"description", description},
		{"contact", object{{"name", s.Product.Name}, {"url", s.Product.URL}, {"email", s.Product.Contact}}},
		{"license", object{{"name", "Terms of " + s.Product.Name}, {"url", terms}}},
	}
}

// termsURL returns the URL of the publisher's terms of use: the product's link with a name such as terms, or the
// product's home page if there is no such link. The content format has no key for the license of the facts, so the
// document doesn't grant one.
func termsURL(s *site.Site) string {
	for _, name := range []string{"license", "licence", "terms", "termsOfService", "legal"} {
		for _, link := range s.Product.Links {
			if strings.EqualFold(link.Key, name) {
				return link.URL
			}
		}
	}
	return s.Product.URL
}
