package http2

// Credits bound the work that a client can cause without making requests. A point is about a third of a microsecond of
// a processor, so that what a connection may use beyond its requests is bounded whatever the work consists of: first
// points at once, and one in each creditStep, which is less than a hundredth of a processor.
const (
	firstCredit, mostCredit = 1000, 10_000
	// creditStep is the time that earns a point, in nanoseconds.
	creditStep = 10_000_000
	// answerCredit is what a request earns whose header list is within the limit. Its block costs what blockCost says.
	answerCredit = 20
	// updateCredit is what a sent DATA frame earns that is not small: the client opens two windows again. Each dataCredit
	// bytes of it earn another point.
	updateCredit, dataCredit = 2, 1024
	// resetCost is more than a request earns, as the response was computed (CVE-2023-44487, CVE-2025-8671).
	resetCost, refuseCost = 25, 2
	// smallData is the payload below which a DATA frame costs a point in either direction.
	smallData = 128
	// fieldsPerPoint and listPerPoint are how many fields, and bytes of them, are decoded for a point.
	fieldsPerPoint, listPerPoint = 8, 512
	// streamsPerPoint is how many waiting streams are looked at, or have their windows changed, for a point.
	streamsPerPoint = 8
)

// spend takes points from a client. It reports whether the client had them.
func (c *conn) spend(points int) bool {
	c.credit -= points
	if c.credit < 0 {
		c.earn(int(c.now.Sub(c.credited) / creditStep))
		c.credited = c.now
	}
	return c.credit >= 0
}

func (c *conn) earn(points int) { c.credit = min(c.credit+points, mostCredit) }

// blockCost is what decoding a header block costs, whatever comes of it.
func (h *head) blockCost() int { return h.fields/fieldsPerPoint + h.size/listPerPoint }

// touchCost is what touching every waiting stream costs.
func (s *streams) touchCost() int { return 1 + len(s.all)/streamsPerPoint }
