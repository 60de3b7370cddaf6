// Package edge lets a CDN give the answers of the contract without a server of
// ours. It holds the JavaScript twin of internal/serve (js/core.mjs), the
// engine that carries its decisions to the wire with the Fetch standard
// (js/fetch.mjs), an adapter of a few lines for each platform, and Manifest,
// the table of a build that the twin reads.
//
// It promises that the twin answers as the Go server does, whatever the
// request: a differential test asks both the same questions, made from a seed,
// and holds status, header fields and bodies against each other.
//
// # Size
//
// A page with its Markdown twin takes 220 bytes of the table, 62 of them left
// after gzip, most of it the two hashes. 10,000 pages are 2.2 MB and 0.62 MB with
// the scripts, where Netlify allows 20 MB compressed and a Worker 3 MB compressed
// (10 MB on a paid plan) and 64 MiB plain. So the table is one module, not split;
// a Worker of the free plan would be full at 48,000 pages. Reading it takes an
// isolate that starts some 40 ms, of the second that a Worker has for that.
package edge
