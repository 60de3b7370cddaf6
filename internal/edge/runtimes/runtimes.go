// Package runtimes contains no code of the program. Its tests play the wire contract against a
// build on the platforms' own runtimes: the Cloudflare Worker in workerd, through wrangler, and the
// Netlify edge function in Deno, on Netlify's bootstrap. They are part of make proof; make edges
// runs only them.
package runtimes
