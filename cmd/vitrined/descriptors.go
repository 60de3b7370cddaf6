package main

// reservedFiles are kept free of connections: for two builds at a time while
// one is loaded, the admin and redirect addresses, and the log.
const reservedFiles = 64 + redirectConnections

// connectionLimit is how many connections the server may have, at most as many
// as were asked for (0 for any number): it must not come to be without files,
// as it could then neither accept a connection nor load a build.
func connectionLimit(asked int) int {
	files, known := openFiles()
	if !known {
		return asked
	}
	free := max(files-reservedFiles, files/2)
	if asked < 1 {
		return free
	}
	return min(asked, free)
}
