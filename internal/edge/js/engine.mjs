// Turns decisions into responses of the Fetch API, as the Handler in internal/serve does for net/http. It sets every
// header field itself, even in error responses, because platforms don't apply their header rules to a function's
// responses.

import { Allowance, decide, escapePath, failed, open } from "./core.mjs";

/** @import { Answer, Manifest, Request as Facts } from "./core.mjs" */

/**
 * Fetches a static file of the build from the platform.
 * @typedef {(request: Request) => Promise<Response>} FetchAsset
 */

/**
 * Returns a function that responds to requests. Each isolate has its own allowance, because it is an instance in the
 * terms of the specification.
 * @param {Manifest} manifest
 * @returns {(request: Request, fetchAsset: FetchAsset) => Promise<Response>}
 */
export function createHandler(manifest) {
  const table = open(manifest);
  const allowance = new Allowance(manifest.limit, manifest.window);
  return async (request, fetchAsset) => {
    const facts = factsOf(request);
    const answer = decide(facts, table, allowance, performance.now());
    try {
      return new Response(await bodyOf(request, answer, fetchAsset), initOf(answer));
    } catch (error) {
      console.error(`responding to ${facts.path}: ${error}`);
      const failure = failed(facts, table, answer);
      return new Response(await bodyOf(request, failure, fetchAsset), initOf(failure));
    }
  };
}

/**
 * Returns the parts of a request that a decision needs.
 * @param {Request} request
 * @returns {Facts}
 */
function factsOf(request) {
  const field = (/** @type {string} */ name) => request.headers.get(name) ?? "";
  const [, path, query = null] = /^[^:]+:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/.exec(request.url) ?? ["", ""];
  return {
    method: request.method,
    path: path || "/",
    query,
    accept: field("Accept"),
    acceptEncoding: field("Accept-Encoding"),
    userAgent: field("User-Agent"),
    ifMatch: request.headers.get("If-Match"),
    ifNoneMatch: field("If-None-Match"),
    origin: field("Origin"),
    accessControlRequestMethod: field("Access-Control-Request-Method"),
  };
}

/**
 * Returns the status and the fields of a response. The fields include Date (RFC 9110 §6.6.1), which some platforms
 * don't add.
 * @param {Answer} answer
 * @returns {ResponseInit}
 */
function initOf({ status, headers }) {
  return { status, headers: [...headers, ["Date", new Date().toUTCString()]] };
}

/**
 * Returns the body of a response: its text, or the bytes of its file. Throws an error if the platform can't serve the
 * file or the file doesn't have the length that the build recorded.
 * @param {Request} request
 * @param {Answer} answer
 * @param {FetchAsset} fetchAsset
 * @returns {Promise<BodyInit | null>}
 */
async function bodyOf(request, { body }, fetchAsset) {
  if (body === null) {
    return null;
  }
  if ("text" in body) {
    return new TextEncoder().encode(body.text);
  }
  const url = new URL("/" + escapePath(body.file), request.url);
  // Don't pass on the client's preconditions, range, or method, because the platform would apply them.
  const asset = await fetchAsset(new Request(url, { headers: { "Accept-Encoding": "identity" } }));
  if (asset.status !== 200) {
    throw new Error(`the host returned ${asset.status} for the file ${url.pathname}`);
  }
  const length = asset.headers.get("Content-Encoding") === null ? asset.headers.get("Content-Length") : null;
  if (length !== null && Number(length) === body.size) {
    return asset.body;
  }
  const bytes = await asset.arrayBuffer();
  if (bytes.byteLength !== body.size) {
    throw new Error(`the file ${url.pathname} has ${bytes.byteLength} bytes, but the build has ${body.size}`);
  }
  return bytes;
}
