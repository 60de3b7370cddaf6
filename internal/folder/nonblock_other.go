//go:build !unix

package folder

// nonblock is nothing where no file of a folder is a pipe.
const nonblock = 0
