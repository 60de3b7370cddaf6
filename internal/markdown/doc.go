// Package markdown wraps goldmark once: it turns the Markdown of one page into
// a Document, and a Document into HTML and into Markdown again, the page's
// twin.
//
// It promises that
//
//   - the dialect is CommonMark with GitHub's tables, strikethrough, task
//     lists, autolinks, footnotes and alerts, and nothing else;
//   - raw HTML and link destinations that run code reach neither output; they
//     are problems, each with its place in the file;
//   - the HTML needs no inline style and no script, and is valid inside a flow
//     container such as <main>;
//   - the twin means what the page means: parsed again, it gives the same
//     HTML, and written again, the same twin. To that end both are written
//     from a normal form: emphasis in emphasis of its kind is one, headings are
//     on one line, and a link's text has no links;
//   - no input makes it panic, and time and memory grow with the size of the
//     input, not with its square: nesting, delimiters, table cells and
//     expanded references have limits, and each limit is a located problem;
//   - the outputs are a function of the input alone.
//
// A Parser is safe for concurrent use. A Document is not.
package markdown
