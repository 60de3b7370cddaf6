// Package canary contains no code. Its test builds a site with a draft, a scheduled article, and an
// unlisted page, with files next to them. It checks that no output contains a byte of unpublished
// content, and that unlisted content is only in its own representations.
package canary
