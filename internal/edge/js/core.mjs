// Decides how to respond to a request at the edge. This is a port of internal/serve/decide: for every request, it
// returns the same status, the same header fields in the same order, and the same bytes as the Go server. It does no
// I/O and doesn't depend on a platform. From the parts of a request, the table of a build, and the state of the
// allowance, it computes an Answer, whose body may be the name of one of the platform's files.
//
// Strings that are received or sent contain one byte per character, like header fields in the Fetch standard.

/**
 * The parts of a request that affect a response. A field is "" if it is absent. Repeated lines are joined with ", ".
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path of the request target, as sent
 * @property {string | null} query the part after the "?", or null if there is no "?"
 * @property {string} accept
 * @property {string} acceptEncoding
 * @property {string} userAgent
 * @property {string | null} ifMatch null if absent, because an empty list matches no representation
 * @property {string} ifNoneMatch
 * @property {string} origin
 * @property {string} accessControlRequestMethod
 */

/** @typedef {[name: string, value: string]} Field */

/**
 * The body of a response: text in the table, or a file of the build in an encoding.
 * @typedef {{text: string} | {file: string, coding: string, size: number}} Body
 */

/**
 * The response to a request, except for Date. The body is null if no body is sent: for HEAD, 204, 304, and 308.
 * @typedef {object} Answer
 * @property {number} status
 * @property {Field[]} headers
 * @property {Body | null} body
 */

/**
 * The allowance's decision on one request: the requests per window, the window's length in seconds, the requests left,
 * the seconds until the window ends, and whether the request is within the allowance.
 * @typedef {{limit: number, window: number, remaining: number, reset: number, allowed: boolean}} Grant
 */

/**
 * The manifest of a build as internal/edge writes it; see manifest.go.
 * @typedef {object} Manifest
 * @property {string} build
 * @property {number} limit requests per window
 * @property {number} window in seconds
 * @property {Field[]} fields
 * @property {[file: string, ...fields: number[]][]} classes
 * @property {(string | number)[][]} bodies for each body, its hash and size in each encoding
 * @property {Record<string, string>} texts bodies that are not files, by index in bodies
 * @property {Record<string, number[]>} headers indexes into fields, by kind of response without a body
 * @property {[path: string, kind: number, ...rest: any[]][]} routes
 * @property {string[][]} [digests] for each body, its Repr-Digest in each encoding; absent if the site sends no digests
 * @property {boolean} [recoded] whether the platform compresses responses itself
 * @property {[ai: string[], others: string[]]} [agents] names of known agents; absent if the site doesn't negotiate by User-Agent
 */

/** @typedef {[type: number, body: number, argument?: string]} Variant */
/** @typedef {{path: string, kind: number, variants: Variant[], location: string}} Route */

/**
 * A manifest prepared for lookups.
 * @typedef {object} Table
 * @property {Manifest} manifest
 * @property {Field[]} fields
 * @property {Map<string, Manifest["routes"][number]>} records
 * @property {Map<string, string>} texts
 * @property {Map<string, boolean>} [agents] whether a known agent, by name, reads for a language model
 */

// Kinds of resources, with the values of artifact.Kind.
const PAGE = 1;
const OPERATION = 2;
const REDIRECT = 3;

// The path of the API version that may be retired.
const OPERATION_PATH = "/api/v1/marketing";

// The encodings in the order of the manifest's bodies.
const IDENTITY = 0;
const GZIP = 1;
const BROTLI = 2;
const CODINGS = ["identity", "gzip", "br"];

/**
 * Prepares a manifest for lookups.
 * @param {Manifest} manifest
 * @returns {Table}
 */
export function open(manifest) {
  return {
    manifest,
    // Use maps, because every object has properties such as __proto__. Records become routes only when their paths are
    // requested, because a site may have many thousands of records.
    records: new Map(manifest.routes.map((record) => [bytesOf(record[0]), record])),
    texts: new Map(Object.entries(manifest.texts)),
    fields: manifest.fields.map(([name, value]) => [name, bytesOf(value)]),
    agents: manifest.agents && new Map(manifest.agents.flatMap((names, i) => names.map((name) => [name, i === 0]))),
  };
}

/**
 * Finds a resource by its path, or by its name if it has no URL.
 * @param {Table} table
 * @param {string} path
 * @returns {Route | undefined}
 */
function lookup(table, path) {
  const record = table.records.get(path);
  if (record === undefined) {
    return undefined;
  }
  const [, kind, ...rest] = record;
  return kind === REDIRECT
    ? { path, kind, variants: [], location: bytesOf(rest[0]) }
    : { path, kind, variants: rest, location: "" };
}

/**
 * Responds to a request that arrived at now, in milliseconds.
 * @param {Request} request
 * @param {Table} table
 * @param {Allowance} allowance
 * @param {number} now
 * @returns {Answer}
 */
export function decide(request, table, allowance, now) {
  const path = decodePath(request.path);
  const route = lookup(table, path);
  if (route?.kind === OPERATION) {
    const grant = allowance.take(now);
    const answer = decideOperation(request, table, route, grant);
    if (route.path === OPERATION_PATH && answer.status !== 200 && answer.status !== 304) {
      announce(table, route, answer.headers);
    }
    answer.headers.push(...rateLimitFields(grant));
    return answer;
  }
  if (!isAllowed(request.method)) {
    return problem(request, table, 405, "method-not-allowed");
  }
  if (route === undefined) {
    return decideMissing(request, table, path);
  }
  if (route.kind === REDIRECT) {
    return redirect(request, table, route.location);
  }
  if (request.method === "OPTIONS") {
    return { status: 204, headers: fixedHeaders(table, "options"), body: null };
  }
  return represent(request, table, route, route.kind === PAGE ? pageVariant(request, table) : 0);
}

/**
 * Adds the fields that announce the retirement of the API version to a response that isn't a representation, such as an
 * error. They precede the fields that describe a body.
 * @param {Table} table
 * @param {Route} route
 * @param {Field[]} headers
 */
function announce(table, route, headers) {
  const announced = headersOf(table, route, 0, IDENTITY).filter(([name]) => name === "Deprecation" || name === "Sunset");
  const at = headers.findIndex(([name]) => describesBody(name) && name !== "Content-Type");
  headers.splice(at < 0 ? headers.length : at, 0, ...announced);
}

/**
 * Returns the internal error for a response whose file is unavailable. The error has the rate-limit fields of that
 * response.
 * @param {Request} request
 * @param {Table} table
 * @param {Answer} answer
 * @returns {Answer}
 */
export function failed(request, table, answer) {
  const failure = problem(request, table, 500, "internal-error");
  if (decodePath(request.path) === OPERATION_PATH) {
    announce(table, fallback(table, OPERATION_PATH), failure.headers);
  }
  failure.headers.push(...answer.headers.filter(([name]) => name.includes("RateLimit")));
  return failure;
}

/**
 * Responds to a request for the JSON API. 429, 405, and 400 take precedence over 304 (RFC 9110 §13.2.1).
 * @param {Request} request
 * @param {Table} table
 * @param {Route} route
 * @param {Grant | null} grant
 * @returns {Answer}
 */
function decideOperation(request, table, route, grant) {
  if (grant !== null && !grant.allowed) {
    return problem(request, table, 429, "allowance-exhausted");
  }
  if (!isAllowed(request.method)) {
    return problem(request, table, 405, "method-not-allowed");
  }
  if (hasQueryParameter(request.query)) {
    return problem(request, table, 400, "unsupported-query-parameters");
  }
  if (request.method === "OPTIONS") {
    const preflight = request.origin !== "" && request.accessControlRequestMethod !== "";
    return { status: 204, headers: fixedHeaders(table, preflight ? "preflight" : "operation"), body: null };
  }
  return represent(request, table, route, 0);
}

/**
 * Responds to a path without a resource: with 204 to "OPTIONS *", with a redirect if the path is another spelling of
 * the path of a page or a redirect, and with 404 otherwise.
 * @param {Request} request
 * @param {Table} table
 * @param {string} path decoded
 * @returns {Answer}
 */
function decideMissing(request, table, path) {
  if (request.path === "*" && request.method === "OPTIONS") {
    return { status: 204, headers: fixedHeaders(table, "options"), body: null };
  }
  const target = canonical(table, path);
  if (target !== null) {
    return redirect(request, table, target);
  }
  if (request.path.startsWith("/api/") || path.startsWith("/api/")) {
    return problem(request, table, 404, "not-found");
  }
  const unconditional = { ...request, ifMatch: null, ifNoneMatch: "" };
  let variant = pageVariant(request, table);
  if (path.endsWith(".md")) {
    variant = prefersHTML(request.accept) ? 0 : 1;
  }
  // In the folder of a language, the response is the 404 page in that language.
  const lost = lookup(table, "404/" + path.split("/", 2)[1]) ?? fallback(table, "404");
  const answer = represent(unconditional, table, lost, variant);
  answer.status = 404;
  return answer;
}

/**
 * Returns the address to which a path redirects, or null if it doesn't redirect. A page's path with a trailing slash or
 * ".html" redirects to the page. A redirect's path with such a suffix redirects to the redirect's target. "/.md"
 * redirects to the home page's Markdown.
 * @param {Table} table
 * @param {string} path
 * @returns {string | null}
 */
function canonical(table, path) {
  if (path === "/.md") {
    return lookup(table, "/index.md") === undefined ? null : "/index.md";
  }
  const suffix = ["/", ".html"].find((s) => path.endsWith(s));
  if (suffix === undefined) {
    return null;
  }
  let trimmed = path.slice(0, -suffix.length);
  if (trimmed === "/index") {
    trimmed = "/";
  }
  const route = lookup(table, trimmed);
  switch (route?.kind) {
    case PAGE:
      return escapePath(trimmed);
    case REDIRECT:
      return route.location;
  }
  return null;
}

/**
 * Responds with a variant in the client's preferred encoding, or with a 304 or 412 if the request's preconditions
 * require it (RFC 9110 §13.2.2).
 * @param {Request} request
 * @param {Table} table
 * @param {Route} route
 * @param {number} variant
 * @returns {Answer}
 */
function represent(request, table, route, variant) {
  const [type, body] = route.variants[variant];
  const coding = chooseCoding(request.acceptEncoding, table.manifest.bodies[body]);
  const etag = etagOf(table, body, coding);
  if (request.ifMatch !== null && !matches(request.ifMatch, etag, true)) {
    return problem(request, table, 412, "precondition-failed");
  }
  const headers = headersOf(table, route, variant, coding, request);
  if (request.ifNoneMatch !== "" && matches(request.ifNoneMatch, etag, false)) {
    return { status: 304, headers: headers.filter(([name]) => !describesBody(name)), body: null };
  }
  return {
    status: 200,
    headers,
    body: request.method === "HEAD" ? null : bodyOf(table, route, type, body, coding),
  };
}

/**
 * Responds with a problem (RFC 9457).
 * @param {Request} request
 * @param {Table} table
 * @param {number} status
 * @param {string} slug
 * @returns {Answer}
 */
function problem(request, table, status, slug) {
  const route = fallback(table, "problem/" + slug);
  const [type, body] = route.variants[0];
  return {
    status,
    headers: headersOf(table, route, 0, IDENTITY, request),
    body: request.method === "HEAD" ? null : bodyOf(table, route, type, body, IDENTITY),
  };
}

/**
 * Returns a resource without a URL.
 * @param {Table} table
 * @param {string} name
 * @returns {Route}
 */
function fallback(table, name) {
  const route = lookup(table, name);
  if (route === undefined) {
    throw new Error(`the manifest has no ${name}; build the site again`);
  }
  return route;
}

/**
 * Responds with a redirect. It keeps the query, because scripts on the target page may read
 * parameters such as utm_source.
 * @param {Request} request
 * @param {Table} table
 * @param {string} location
 * @returns {Answer}
 */
function redirect(request, table, location) {
  const target = request.query ? location + "?" + request.query : location;
  return { status: 308, headers: [...fixedHeaders(table, "redirect"), ["Location", target]], body: null };
}

/** @param {string} method */
function isAllowed(method) {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/**
 * Returns the index of the preferred variant of a page: 0 for its HTML, 1 for its Markdown. User-Agent has an effect
 * only if the site enables this and Accept lists neither type by name.
 * @param {Request} request
 * @param {Table} table
 */
function pageVariant(request, table) {
  if (prefersMarkdown(request.accept)) {
    return 1;
  }
  return table.agents !== undefined && leavesOpen(request.accept) && isAI(table.agents, request.userAgent) ? 1 : 0;
}

/**
 * Reports whether the first known agent in a User-Agent reads for a language model. See internal/readers.
 * @param {Map<string, boolean>} agents
 * @param {string} userAgent
 */
function isAI(agents, userAgent) {
  for (const [word] of lower(userAgent).matchAll(/[a-z0-9_.-]+/g)) {
    const ai = agents.get(word);
    if (ai !== undefined) {
      return ai;
    }
  }
  return false;
}

// Header fields

/**
 * Returns the header section of a kind of response without a body; see Manifest.headers.
 * @param {Table} table
 * @param {string} name
 * @returns {Field[]}
 */
function fixedHeaders(table, name) {
  return table.manifest.headers[name].map((i) => table.fields[i]);
}

/**
 * Returns the header section of a variant in an encoding.
 * @param {Table} table
 * @param {Route} route
 * @param {number} variant
 * @param {number} coding
 * @param {Request} [request]
 * @returns {Field[]}
 */
function headersOf(table, route, variant, coding, request) {
  const [type, body, argument = ""] = route.variants[variant];
  const [, ...fields] = table.manifest.classes[type];
  const headers = fields.map((i) => expand(table.fields[i], route.path, argument));
  // Caches don't store errors, so errors need no validator.
  if (!headers.some(([name, value]) => name === "Cache-Control" && value === "no-store")) {
    headers.push(["ETag", etagOf(table, body, coding)]);
  }
  if (coding !== IDENTITY) {
    headers.push(["Content-Encoding", CODINGS[coding]]);
  }
  const digest = table.manifest.digests?.[body][coding];
  // If a platform compresses responses itself, the digest of the file is correct only for responses that it sends
  // uncompressed.
  if (digest && request && (!table.manifest.recoded || /^\s*(?:identity)?\s*$/i.test(request.acceptEncoding))) {
    headers.push(["Repr-Digest", digest]);
  }
  headers.push(["Content-Length", String(sizeOf(table, body, coding))]);
  return headers;
}

/**
 * Inserts the path and the argument of a variant into a field that many variants share. NUL represents the escaped path
 * without ".md", U+0001 represents the argument, and U+0002 represents the escaped path without ".md" and without its
 * first segment.
 * @param {Field} field
 * @param {string} path
 * @param {string} argument
 * @returns {Field}
 */
function expand([name, value], path, argument) {
  const filled = value
    .replaceAll("\0", () => escapePath(stem(path)))
    .replaceAll("\x02", () => escapePath(afterFirst(stem(path))))
    .replace("\x01", () => argument);
  return [name, filled];
}

/** @param {string} path */
function stem(path) {
  return path.endsWith(".md") ? path.slice(0, -".md".length) : path;
}

/**
 * Returns a path without its first segment.
 * @param {string} path
 */
function afterFirst(path) {
  return path.slice(path.indexOf("/", 1));
}

/**
 * Reports whether a field describes a body, which a 304 doesn't have (RFC 9110 §15.4.5).
 * @param {string} name
 */
function describesBody(name) {
  return name === "Content-Type" || name === "Content-Encoding" || name === "Repr-Digest" || name === "Content-Length";
}

/**
 * @param {Table} table
 * @param {number} body
 * @param {number} coding
 */
function etagOf(table, body, coding) {
  const hash = table.manifest.bodies[body][2 * coding];
  return coding === IDENTITY ? `"${hash}"` : `"${hash}-${CODINGS[coding]}"`;
}

/**
 * @param {Table} table
 * @param {number} body
 * @param {number} coding
 */
function sizeOf(table, body, coding) {
  return Number(table.manifest.bodies[body][2 * coding + 1]);
}

/**
 * @param {Table} table
 * @param {Route} route
 * @param {number} type
 * @param {number} body
 * @param {number} coding
 * @returns {Body}
 */
function bodyOf(table, route, type, body, coding) {
  const text = table.texts.get(String(body));
  if (text !== undefined) {
    return { text };
  }
  const [file] = table.manifest.classes[type];
  return {
    file: bytesOf(file).replace("\0", () => stem(route.path).slice(1)),
    coding: CODINGS[coding],
    size: sizeOf(table, body, coding),
  };
}

// The allowance

/**
 * Limits the number of requests that an instance serves in a time window, for all clients combined. The window is
 * fixed: it starts with the first request after the previous window ended, and rejected requests don't extend it.
 */
export class Allowance {
  /** @type {number | null} */
  #start = null;
  #used = 0;
  #limit;
  #window;

  /**
   * @param {number} limit requests in a window; 0 disables the allowance
   * @param {number} window in seconds
   */
  constructor(limit, window) {
    this.#limit = limit;
    this.#window = window;
  }

  /**
   * Counts a request that arrived at now, in milliseconds of any clock, and decides whether the request is within the
   * allowance.
   * @param {number} now
   * @returns {Grant | null} null if the allowance is disabled
   */
  take(now) {
    if (this.#limit <= 0 || this.#window <= 0) {
      return null;
    }
    const length = this.#window * 1000;
    let elapsed = this.#start === null ? length : Math.max(now - this.#start, 0);
    if (elapsed >= length) {
      this.#start = now;
      this.#used = 0;
      elapsed = 0;
    }
    const allowed = this.#used < this.#limit;
    if (allowed) {
      this.#used++;
    }
    return {
      limit: this.#limit,
      window: this.#window,
      remaining: this.#limit - this.#used,
      reset: Math.ceil((length - elapsed) / 1000),
      allowed,
    };
  }
}

/**
 * Returns the header fields for a grant. Only this function depends on the syntax of
 * draft-ietf-httpapi-ratelimit-headers-11.
 * @param {Grant | null} grant
 * @returns {Field[]}
 */
function rateLimitFields(grant) {
  if (grant === null) {
    return [];
  }
  /** @type {Field[]} */
  const fields = [
    ["RateLimit-Policy", `"instance";q=${grant.limit};w=${grant.window}`],
    ["RateLimit", `"instance";r=${grant.remaining};t=${grant.reset}`],
    ["X-RateLimit-Limit", String(grant.limit)],
    ["X-RateLimit-Remaining", String(grant.remaining)],
    ["X-RateLimit-Reset", String(grant.reset)],
  ];
  if (!grant.allowed) {
    fields.push(["Retry-After", String(Math.max(grant.reset, 1))]);
  }
  return fields;
}

// Paths and queries

/**
 * Decodes the path of a request target once. Returns "" if no resource can have the path: if the path doesn't start
 * with a slash, if an escape is malformed, if an escape represents a byte that no path contains (a slash, a backslash,
 * a percent sign, or a control character), or if the result isn't UTF-8.
 * @param {string} raw
 * @returns {string}
 */
function decodePath(raw) {
  if (!raw.startsWith("/")) {
    return "";
  }
  const [first, ...escaped] = raw.split("%");
  let decoded = first;
  for (const part of escaped) {
    const digits = part.slice(0, 2);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) {
      return "";
    }
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    if (char < " " || char === "\x7f" || char === "/" || char === "\\" || char === "%") {
      return "";
    }
    decoded += char + part.slice(2);
  }
  return escaped.length > 0 && !isUTF8(decoded) ? "" : decoded;
}

/**
 * Percent-encodes a path for a Location or a Link.
 * @param {string} path
 */
export function escapePath(path) {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@]/g, (char) =>
    "%" + char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));
}

/**
 * Reports whether a query has a parameter. An empty query and a query of only ampersands have no parameter. Every other
 * query has one, even if it is malformed.
 * @param {string | null} query
 */
function hasQueryParameter(query) {
  return query !== null && /[^&]/.test(query);
}

/**
 * @param {string} bytes
 */
function isUTF8(bytes) {
  if (!/[^\0-\x7f]/.test(bytes)) {
    return true;
  }
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the UTF-8 encoding of a string, with one byte per character.
 * @param {string} text
 */
export function bytesOf(text) {
  if (!/[^\0-\x7f]/.test(text)) {
    return text;
  }
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

// Accept and Accept-Encoding

/**
 * Reports whether an Accept field prefers a page's Markdown to its HTML. The field must list text/markdown by name,
 * with a weight above 0 that is at least the weight of text/html. See accept.go for the weight of a type.
 * @param {string} accept
 */
function prefersMarkdown(accept) {
  const { html, markdown } = preferences(accept);
  return markdown.precision >= 30 && markdown.weight > 0 && markdown.weight >= html.weight;
}

/**
 * Reports whether an Accept field prefers HTML at a Markdown address. The field must list text/html by name, with a
 * higher weight than text/markdown.
 * @param {string} accept
 */
function prefersHTML(accept) {
  const { html, markdown } = preferences(accept);
  return html.precision >= 30 && html.weight > markdown.weight;
}

/**
 * Reports whether an Accept field lists neither of a page's two types by name.
 * @param {string} accept
 */
function leavesOpen(accept) {
  const { html, markdown } = preferences(accept);
  return html.precision < 30 && markdown.precision < 30;
}

/**
 * Returns the client's preference for each of a page's two types.
 * @param {string} accept
 */
function preferences(accept) {
  const html = new Preference();
  const markdown = new Preference();
  for (const member of members(accept)) {
    switch (lower(member.name)) {
      case "text/markdown":
        markdown.consider(member, 30);
        break;
      case "text/html":
        html.consider(member, 30);
        break;
      case "text/*":
        html.consider(member, 20);
        markdown.consider(member, 20);
        break;
      case "*/*":
        html.consider(member, 10);
        markdown.consider(member, 10);
        break;
    }
  }
  return { html, markdown };
}

/** The client's preference for a type, according to the ranges that have been considered. */
class Preference {
  precision = 0;
  weight = 0;

  /**
   * Applies a range, unless a more specific range or an equally specific range with a higher weight has already
   * decided.
   * @param {Member} member
   * @param {number} closeness how closely the range names the type
   */
  consider(member, closeness) {
    const precision = closeness + parameterPrecision(member.parameters);
    if (precision > this.precision || (precision === this.precision && member.weight > this.weight)) {
      this.precision = precision;
      this.weight = member.weight;
    }
  }
}

/**
 * Ranks the parameters of a range, ignoring the weight: 2 for only charset=utf-8, 1 for no parameters, and 0 for
 * others.
 * @param {string} parameters
 */
function parameterPrecision(parameters) {
  let precision = 1;
  for (const parameter of unquotedParts(parameters, ";")) {
    const [name, value] = cut(trim(parameter), "=").map(lower);
    if (name === "q" || (name === "" && value === "")) {
      continue;
    }
    if (name !== "charset" || (value !== "utf-8" && value !== '"utf-8"')) {
      return 0;
    }
    precision = 2;
  }
  return precision;
}

/**
 * Selects the encoding of a response from the available encodings of a body. The highest weight wins. Among equal
 * weights, br precedes gzip, and gzip precedes identity. An unlisted encoding has the weight of "*". If the field
 * doesn't list "*" either, an unlisted encoding isn't acceptable. Only an unlisted identity is still acceptable, but
 * comes last. See accept.go.
 * @param {string} acceptEncoding
 * @param {(string | number)[]} body
 * @returns {number}
 */
function chooseCoding(acceptEncoding, body) {
  /** @type {Map<string, number>} */
  const weights = new Map();
  for (const member of members(acceptEncoding)) {
    const name = lower(member.name) === "x-gzip" ? "gzip" : lower(member.name);
    weights.set(name, Math.max(weights.get(name) ?? 0, member.weight));
  }
  const weightOf = (/** @type {string} */ name) => weights.get(name) ?? weights.get("*") ?? 0;
  let chosen = IDENTITY;
  let best = weightOf("identity");
  for (const coding of [GZIP, BROTLI]) {
    const weight = weightOf(CODINGS[coding]);
    if (weight > 0 && weight >= best && typeof body[2 * coding] === "string") {
      chosen = coding;
      best = weight;
    }
  }
  return chosen;
}

/**
 * A member of a list whose members may have a weight. The weight is in thousandths.
 * @typedef {{name: string, parameters: string, weight: number}} Member
 */

/**
 * Returns the members of a list. A comma inside a quoted parameter value doesn't end a member (RFC 9110 §5.6.4,
 * §5.6.6).
 * @param {string} list
 * @returns {Member[]}
 */
function members(list) {
  return unquotedParts(list, ",").map((element) => {
    const [name, parameters] = cutUnquoted(element, ";");
    return { name: trim(name), parameters, weight: weightIn(parameters) };
  });
}

/**
 * Returns the weight in a member's parameters. It is 1000 by default, and 0 if it is malformed, repeated, or made
 * ambiguous by an unclosed quoted value.
 * @param {string} parameters
 */
function weightIn(parameters) {
  let weight = null;
  for (const parameter of unquotedParts(parameters, ";")) {
    const [name, value] = cut(trim(parameter), "=");
    if (value.startsWith('"') && quotedLength(value, 0) === 0) {
      return 0;
    }
    if (lower(trim(name)) === "q") {
      if (weight !== null || name.length !== 1) {
        return 0;
      }
      weight = parseWeight(value);
    }
  }
  return weight ?? 1000;
}

/**
 * Returns a qvalue (RFC 9110 §12.4.2) in thousandths, or 0 if it is malformed.
 * @param {string} text
 */
function parseWeight(text) {
  if (!/^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(text)) {
    return 0;
  }
  return Number(text.replace(".", "").padEnd(4, "0"));
}

/**
 * Splits a string at the separators outside quoted strings. An empty string has no parts, and a trailing separator adds
 * no part.
 * @param {string} text
 * @param {string} separator
 */
function unquotedParts(text, separator) {
  const parts = [];
  while (text !== "") {
    const [before, after] = cutUnquoted(text, separator);
    parts.push(before);
    text = after;
  }
  return parts;
}

/**
 * Cuts a string at the first separator outside a quoted string. A quoted string starts directly after an equals sign. A
 * quote elsewhere has no effect. An unclosed quoted string extends to the end of the string.
 * @param {string} text
 * @param {string} separator
 * @returns {[before: string, after: string]}
 */
function cutUnquoted(text, separator) {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === separator) {
      return [text.slice(0, i), text.slice(i + 1)];
    }
    if (text[i] === '"' && text[i - 1] === "=") {
      const length = quotedLength(text, i);
      if (length === 0) {
        break;
      }
      i += length - 1;
    }
  }
  return [text, ""];
}

/**
 * Returns the length of the quoted string (RFC 9110 §5.6.4) that starts at a position, including its quotes, or 0 if it
 * isn't closed.
 * @param {string} text
 * @param {number} start
 */
function quotedLength(text, start) {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") {
      i++;
    } else if (text[i] === '"') {
      return i + 1 - start;
    }
  }
  return 0;
}

/**
 * Cuts a string at the first separator.
 * @param {string} text
 * @param {string} separator
 * @returns {[before: string, after: string]}
 */
function cut(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Removes optional white space (RFC 9110 §5.6.3), which is spaces and tabs, from both ends.
 * @param {string} text
 */
function trim(text) {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) {
    start++;
  }
  while (end > start && isSpace(text[end - 1])) {
    end--;
  }
  return text.slice(start, end);
}

/** @param {string} char */
function isSpace(char) {
  return char === " " || char === "\t";
}

/**
 * Returns a string with its ASCII letters in lower case.
 * @param {string} text
 */
function lower(text) {
  return text.replace(/[A-Z]/g, (char) => char.toLowerCase());
}

// If-Match and If-None-Match

/**
 * Reports whether an If-Match or If-None-Match field names a strong ETag. The field is a single "*", which names every
 * representation, or a list of entity tags. A malformed member names no representation and extends to the next comma.
 * The members after it still count. In a strong comparison, a weak tag matches no ETag. A weak comparison ignores the
 * difference (RFC 9110 §8.8.3.2).
 * @param {string} field
 * @param {string} etag
 * @param {boolean} strong
 */
function matches(field, etag, strong) {
  let rest = trim(field);
  if (rest === "*") {
    return true;
  }
  while (rest !== "") {
    const [tag, after] = nextTag(rest);
    if (tag === etag || (!strong && tag === "W/" + etag)) {
      return true;
    }
    rest = after;
  }
  return false;
}

// Matches an entity tag (RFC 9110 §8.8.3) up to the end of its list member. There are no escapes: backslashes and
// commas are ordinary characters.
const TAG = /^[ \t]*((?:W\/)?"[^\0- "\x7f]*")[ \t]*(?:,|$)/;

/**
 * Removes the first member from a list of entity tags. Its tag is "" if the member is empty or malformed.
 * @param {string} list
 * @returns {[tag: string, rest: string]}
 */
function nextTag(list) {
  const found = TAG.exec(list);
  if (found === null) {
    return ["", cut(list, ",")[1]];
  }
  return [found[1], list.slice(found[0].length)];
}
