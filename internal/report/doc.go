// Package report reads a site's access logs and reports who read it: people, search engines, the
// three kinds of programs that read for language models, feed readers, and the site's own tool, by
// day; which paths were missing; and which model readers got HTML although Markdown was available.
// It stores only counts: its result contains no address, User-Agent, or query of a request.
package report
