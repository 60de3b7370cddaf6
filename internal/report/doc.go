// Package report reads a site's access logs and reports the number of requests by day and kind of reader: people,
// search engines, the three kinds of programs that read for language models, feed readers, and the site's tool. It also
// reports missing paths, and pages that programs for language models got as HTML although Markdown was available. The
// report contains only counts, days, requested paths, and the published names of programs. It doesn't contain the
// address, User-Agent, or query of any request.
package report
