//go:build !unix

package folder

// nonblock is 0 on systems whose folders can't contain named pipes.
const nonblock = 0
