package main

import (
	"net/http"
	"time"
)

// boundedHTTP2 bounds what one connection of HTTP/2 may cost. An answer that
// waits for its client costs some 25 KB, and each stream may have one: net/http's
// 250 streams would make 6 MB of a connection. A connection that takes no byte
// for the time that an answer has is closed; net/http's own limit is for each
// stream, and would leave such a connection open.
func boundedHTTP2(writeTimeout time.Duration) *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams: 100, // RFC 9113, section 6.5.2: no fewer
		// No resource takes a body, so none is kept for a handler to read. A client
		// may send 65,535 bytes before it has read our settings, RFC 9113, section
		// 6.9.2: less than that would end its stream.
		MaxReceiveBufferPerConnection: 64 << 10,
		MaxReceiveBufferPerStream:     64 << 10,
		WriteByteTimeout:              writeTimeout,
	}
}
