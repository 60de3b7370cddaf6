// Package canary contains only tests. They build a site with a draft, a scheduled article, and an unlisted page, each
// with files next to it. They check that no output contains unpublished content and that unlisted content appears only
// in its own representations.
package canary
