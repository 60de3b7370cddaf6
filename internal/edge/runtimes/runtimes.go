// Package runtimes holds no code of the program. Its tests play the wire
// contract against a build on the platforms' own runtimes: the Cloudflare
// Worker in workerd, by wrangler, and the Netlify edge function in Deno, on
// Netlify's bootstrap. They need what install.sh installs, and are built with
// the tag "edges" alone: "make edges" does both.
package runtimes
