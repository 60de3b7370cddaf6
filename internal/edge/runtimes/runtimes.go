// Package runtimes contains only tests. They play the wire contract against a build on the platforms' runtimes: the
// Cloudflare Worker in workerd, through wrangler, and the Netlify edge function in Deno, on Netlify's bootstrap. `make
// proof` includes them, and `make edges` runs only them.
package runtimes
