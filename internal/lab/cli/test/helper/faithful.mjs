/**
 * A small server that implements the parts of the wire contract that the tool uses. It replaces vitrined
 * in `npm run test:alone`; `npm test` uses a real one.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

import { BODY } from "./facts.mjs";
import { listen } from "./listen.mjs";

const ALLOWANCE = 120;
const WINDOW_MS = 60_000;
const METHODS = "GET, HEAD, OPTIONS";

/**
 * @param {string} tool  the stamped tool, served under /cli with its digest
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function startFaithful(tool) {
  const body = BODY;
  const files = downloads(tool);
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  const spend = newAllowance();
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const url = new URL(request.url ?? "/", origin);
    /** @type {(slug: string, status: number, title: string) => void} */
    const problem = (slug, status, title) => {
      response.writeHead(status, { "Content-Type": "application/problem+json" });
      const resolution = "see the page that type names";
      response.end(JSON.stringify({ type: `${origin}/problems/${slug}`, title, status, detail: title, resolution }));
    };
    const file = files.get(url.pathname);
    if (file) return void response.end(file);
    if (url.pathname !== "/api/v1/marketing") return problem("not-found", 404, "Nothing is here");

    const { left, seconds } = spend();
    response.setHeader("RateLimit", `"instance";r=${Math.max(0, left)};t=${seconds}`);
    if (left < 0) {
      response.setHeader("Retry-After", String(seconds));
      return problem("allowance-exhausted", 429, "The request allowance is exhausted");
    }
    if (!METHODS.split(", ").includes(request.method ?? "")) {
      response.setHeader("Allow", METHODS);
      return problem("method-not-allowed", 405, "This method is not supported");
    }
    if (url.search) return problem("unsupported-query-parameters", 400, "No query parameter is accepted");

    response.setHeader("ETag", etag);
    response.setHeader("Cache-Control", "private, max-age=300");
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  });
  return listen(server);
}

/** @param {string} tool */
function downloads(tool) {
  const name = path.basename(tool);
  const bytes = readFileSync(tool);
  const sum = createHash("sha256").update(bytes).digest("hex");
  return new Map([
    [`/cli/${name}`, bytes],
    [`/cli/${name}.sha256`, Buffer.from(`${sum}  ${name}\n`)],
    ["/pricing.md", Buffer.from("| Starter | 100 | €49 |\n| Team | 1200 | €199.50 |\n| Enterprise | 25000 | €1,499 |\n")],
  ]);
}

/** A fixed window. It starts with the first request after the previous window. */
function newAllowance() {
  let end = 0;
  let left = 0;
  return () => {
    const now = Date.now();
    if (now >= end) [end, left] = [now + WINDOW_MS, ALLOWANCE];
    left -= 1;
    return { left, seconds: Math.max(1, Math.ceil((end - now) / 1000)) };
  };
}
