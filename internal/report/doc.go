// Package report reads the access logs of a site and says who read what: people,
// search engines, the three kinds of programs that read for language models, feed
// readers and the site's own tool, by day; what was not there; and which readers for
// a model got HTML where Markdown stood ready. It keeps counts alone: no address, no
// User-Agent and no query of a request is in what it returns.
package report
