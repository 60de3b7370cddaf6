package artifact

// Values of Cache-Control and of its kin that both halves send.
const (
	// OperationCacheControl lets clients reuse product information for five
	// minutes and keeps shared caches from storing it, as counters that are
	// replayed from a shared cache are false.
	OperationCacheControl = "private, max-age=300"
	// PageCacheControl makes browsers ask again each time, which a 304 answers.
	PageCacheControl = "public, max-age=0, must-revalidate"
	// CDNCacheControl (RFC 9213) lets a CDN keep pages for a day; a deploy
	// purges it.
	CDNCacheControl = "public, max-age=86400"
	// AssetCacheControl is for names that change with the content.
	AssetCacheControl = "public, max-age=31536000, immutable"
	// ErrorCacheControl keeps errors out of caches: 404 and 405 are
	// heuristically cacheable (RFC 9110 §15.1), and 429 must not be stored
	// (RFC 6585 §4).
	ErrorCacheControl = "no-store"
)

// CORSFields let scripts of any origin read an answer of the JSON operation
// and its fields: the data is public.
func CORSFields() []Field {
	return []Field{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Expose-Headers", "ETag, " + FieldRateLimitPolicy + ", " + FieldRateLimit + ", " +
			FieldLimit + ", " + FieldRemaining + ", " + FieldReset + ", " + FieldRetryAfter + ", Deprecation, Sunset"},
	}
}

// OptionsFields are the fields of the answer to OPTIONS on any URL.
func OptionsFields() []Field {
	return []Field{
		{"Allow", Allow},
		{"Cache-Control", ErrorCacheControl},
		{"X-Content-Type-Options", "nosniff"},
	}
}

// OperationOptionsFields are those on the JSON operation.
func OperationOptionsFields() []Field {
	return append(OptionsFields(), CORSFields()...)
}

// PreflightFields are those on the JSON operation where the request is a CORS
// preflight.
func PreflightFields() []Field {
	return append(OperationOptionsFields(),
		Field{"Access-Control-Allow-Methods", Allow},
		// The fields that a conditional request needs; the rest are safelisted.
		Field{"Access-Control-Allow-Headers", "If-Match, If-None-Match"},
		Field{"Access-Control-Max-Age", "86400"},
	)
}

// RedirectFields are the fields of every 308 but its Location.
func RedirectFields() []Field {
	return []Field{
		{"Cache-Control", PageCacheControl},
		{"CDN-Cache-Control", CDNCacheControl},
		{"Content-Length", "0"},
		{"X-Content-Type-Options", "nosniff"},
	}
}
