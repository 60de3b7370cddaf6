package http2

// Credits limit the work that a client can cause without requests, regardless of the kind of work. A point is about a
// third of a microsecond of processor time. A connection starts with firstCredit points and earns one more every
// creditStep, which corresponds to less than a hundredth of a processor.
const (
	firstCredit, mostCredit = 1000, 10_000
	// creditStep is the time in which a connection earns a point, in nanoseconds.
	creditStep = 10_000_000
	// answerCredit is the credit for a request whose header list is within the limit. Decoding its block costs
	// blockCost.
	answerCredit = 20
	// updateCredit is the credit for a sent DATA frame that isn't small, because the client responds by opening two
	// windows. The client earns another point for every dataCredit bytes.
	updateCredit, dataCredit = 2, 1024
	// resetCost is the cost of a stream that the client resets or makes the server reset. It exceeds the credit of a
	// request, because the server has already computed the response (CVE-2023-44487, CVE-2025-8671). refuseCost is the
	// cost of a stream beyond maxStreams.
	resetCost, refuseCost = 25, 2
	// smallData is the payload size under which a DATA frame costs a point in either direction.
	smallData = 128
	// Decoding fieldsPerPoint fields costs one point, and so does decoding listPerPoint bytes of fields.
	fieldsPerPoint, listPerPoint = 8, 512
	// streamsPerPoint is the number of waiting streams that are visited, or whose windows change, for one point.
	streamsPerPoint = 8
)

// spend subtracts points from the client's credit and reports whether the credit was sufficient.
func (c *conn) spend(points int) bool {
	c.credit -= points
	if c.credit < 0 {
		c.earn(int(c.now.Sub(c.credited) / creditStep))
		c.credited = c.now
	}
	return c.credit >= 0
}

func (c *conn) earn(points int) { c.credit = min(c.credit+points, mostCredit) }

// blockCost returns the cost in points of decoding a header block, whether or not it is valid.
func (h *head) blockCost() int { return h.fields/fieldsPerPoint + h.size/listPerPoint }

// touchCost returns the cost in points of visiting every waiting stream.
func (s *streams) touchCost() int { return 1 + len(s.all)/streamsPerPoint }
