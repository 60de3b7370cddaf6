package main

import (
	"net/http"
	"os"
	"runtime/debug"
	"time"
)

// reservedFiles are kept free of connections: for two builds at a time while
// one is loaded, the admin and redirect addresses, and the log.
const reservedFiles = 64 + redirectConnections

// connectionLimit is how many connections the server may have, at most as many
// as were asked for (0 for any number). Without free files it could neither
// accept a connection nor load a build.
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

// boundedHTTP2 bounds what one connection of HTTP/2 may cost. An answer that
// waits for its client costs some 25 KB, and each stream may have one: net/http's
// 250 streams would make 6 MB of a connection. A connection that takes no byte
// for the time that an answer has is closed; net/http's own limit is for each
// stream, and would leave such a connection open.
func boundedHTTP2(writeTimeout time.Duration, erred func(string)) *http.HTTP2Config {
	return &http.HTTP2Config{
		CountError: erred,
		// A connection keeps memory for the longest frame that it announced, from the
		// nine bytes on that announce it. By default a megabyte.
		MaxReadFrameSize:     16 << 10, // RFC 9113, section 4.2: no less
		MaxConcurrentStreams: 100,      // RFC 9113, section 6.5.2: no fewer
		// No resource takes a body, so none is kept for a handler to read. A client
		// may send 65,535 bytes before it has read our settings, RFC 9113, section
		// 6.9.2: less than that would end its stream.
		MaxReceiveBufferPerConnection: 64 << 10,
		MaxReceiveBufferPerStream:     64 << 10,
		WriteByteTimeout:              writeTimeout,
	}
}

// paceCollector sets how much garbage may gather before it is collected, for a
// site whose bodies have so many bytes. The collector's default, as much as is
// in use, would double the memory of a large site. Bodies hold no pointers, so
// collecting costs the same with many of them as with few, and can be done far
// more often. GOGC overrides it.
func paceCollector(size int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent(size))
	}
}

// collectorPercent lets some garbage gather, in percent of what is in use: all
// bodies, once they were asked for.
func collectorPercent(size int64) int {
	const garbage, least, most = 16 << 20, 10, 100
	return int(min(most, max(least, 100*garbage/max(size, 1))))
}
