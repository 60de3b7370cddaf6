// Package runtimes contains only tests. They play the wire contract against a build on the platforms' runtimes: the Cloudflare
// Worker in workerd, through wrangler, and the Netlify edge function in Deno, on Netlify's bootstrap. They are part of make
// proof. make edges runs only them.
package runtimes
