//go:build !unix

package regular

// nonblock is nothing where no file of a folder is a pipe.
const nonblock = 0
