// Package canary holds no code. Its test builds a site that has a draft, a
// scheduled article and an unlisted page, with files beside them, and proves
// that no byte of what is not published is in any output, and that what is
// unlisted is in nothing but its own representations.
package canary
