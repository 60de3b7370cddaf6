/** What the tool makes of servers: each kind of misbehaviour has its exit code and its word. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer as createTLSServer } from "node:https";
import path from "node:path";
import { after, test } from "node:test";

import { newCertificate } from "./helper/certificate.mjs";
import { BODY } from "./helper/facts.mjs";
import { startHostile } from "./helper/hostile.mjs";
import { listen, serve } from "./helper/listen.mjs";
import { NAME, newFolder, run } from "./helper/run.mjs";

const hostile = await startHostile();
after(() => hostile.close());

/** @type {[way: string, code: number, words: RegExp, flags?: string[]][]} */
const FAULTS = [
  ["silent", 3, /no whole answer within 0\.3 seconds/, ["--timeout", "0.3"]],
  ["slow", 3, /no whole answer within 0\.3 seconds/, ["--timeout", "0.3"]],
  ["truncated", 3, /cut before the answer was whole/],
  ["reset", 3, /cut before the answer was whole/],
  ["not-http", 3, /the answer is not HTTP/],
  ["other-protocol", 4, /answered 101/],
  ["wrong-type", 6, /answers with text\/html instead of application\/json/],
  ["no-type", 6, /no content type/],
  ["coded", 6, /content coding gzip/],
  ["html", 6, /text\/html/],
  ["html-as-json", 6, /not JSON/],
  ["not-utf8", 6, /not UTF-8/],
  ["empty", 6, /not JSON/],
  ["array", 6, /the whole is not an object/],
  ["price-as-text", 6, /pricing\.plans\[0\]\.monthlyPrice is not a number/],
  ["price-infinite", 6, /pricing\.plans\[0\]\.monthlyPrice is not a number/],
  ["credits-fraction", 6, /pricing\.plans\[0\]\.includedCredits is not an integer/],
  ["no-contact", 6, /contact is missing/],
  ["link-number", 6, /links\.docs is not a string/],
  ["steps-null", 6, /gettingStarted\.steps\[0\] is not a string/],
  ["two-mebibytes", 6, /larger than 1 MiB/],
  ["endless", 6, /larger than 1 MiB/],
  ["error-html", 4, /answered 500: Internal Server Error/],
  ["error-huge-problem", 4, /answered 503: Service Unavailable/],
  ["error-problem", 4, /answered 403: not you\n {2}check the base URL/],
  ["empty-ok", 4, /answered 204/],
  ["unasked-304", 4, /answered 304/],
  ["loop", 4, /redirects more than 5 times/],
  ["to-file", 4, /does not follow/],
  ["to-nonsense", 4, /no URL/],
  ["to-nowhere", 4, /answered 302/],
];

for (const [way, code, words, flags = []] of FAULTS) {
  test(`a server that is ${way}: exit ${code}`, async () => {
    const ending = await run(["product", "--base-url", `${hostile.url}/${way}`, ...flags]);
    assert.match(ending.stderr, words);
    assert.equal(ending.code, code);
    assert.equal(ending.stdout, "");
    assert.ok(ending.stderr.startsWith(`${NAME}: error: `));
    assert.doesNotMatch(ending.stderr, /[^\n\x20-\x7e]/);

    const told = await run(["product", "--json", "--base-url", `${hostile.url}/${way}`, ...flags]);
    assert.equal(told.code, code);
    assert.equal(told.stdout, "");
    assert.equal(JSON.parse(told.stderr).exitCode, code);
  });
}

for (const way of ["good", "to-good", "unmeasured", "chunked"]) {
  test(`a server that is ${way}: the body as served`, async () => {
    const { code, stdout, stderr } = await run(["product", "--json", "--base-url", `${hostile.url}/${way}`]);
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  });
}

test("a body just under the limit gets through a pipe whole", async () => {
  const { code, stdout } = await run(["product", "--json", "--base-url", `${hostile.url}/almost-a-mebibyte`]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).padding.length, 1024 * 1024 - 4096);
});

test("a document nested beyond all reason is no crash", async () => {
  const page = await run(["product", "--base-url", `${hostile.url}/deep`]);
  assert.equal(page.code, 0);
  const part = await run(["pricing", "--json", "--base-url", `${hostile.url}/deep`]);
  assert.equal(part.code, 6);
  assert.match(JSON.parse(part.stderr).detail, /nests too deeply/);
});

test("a problem is passed on under --json with its own members and the true status", async () => {
  const { stderr } = await run(["pricing", "--json", "--base-url", `${hostile.url}/error-problem`]);
  const problem = JSON.parse(stderr);
  assert.equal(problem.type, "https://x.example/p");
  assert.equal(problem.status, 403);
  assert.equal(problem.resolution, "check the base URL");
  assert.deepEqual(problem.extra, ["kept"]);
});

test("a host that nobody answers for: exit 3", async () => {
  const server = await startHostile();
  await server.close();
  const { code, stderr } = await run(["product", "--base-url", server.url]);
  assert.equal(code, 3);
  assert.match(stderr, /the connection was refused/);
});

test("the request is a plain anonymous GET", async (t) => {
  /** @type {import("node:http").IncomingHttpHeaders} */
  let headers = {};
  const url = await serve(t, (request, response) => {
    headers = request.headers;
    assert.equal(request.method, "GET");
    response.setHeader("Content-Type", "application/json").end(BODY);
  });
  assert.equal((await run(["product", "--base-url", url])).code, 0);
  assert.match(headers.accept ?? "", /^application\/json/);
  assert.match(headers["user-agent"] ?? "", new RegExp(`^${NAME}/\\S+$`));
  for (const name of ["authorization", "cookie", "if-none-match"]) assert.equal(headers[name], undefined);
});

test("a redirect from https to http is refused; one within https is followed", async (t) => {
  const { key, cert } = newCertificate();
  const trusted = path.join(newFolder(t), "ca.pem");
  writeFileSync(trusted, cert);
  const plain = await serve(t, () => assert.fail("the plain server was asked"));
  const secure = await listen(
    createTLSServer({ key, cert }, (request, response) => {
      if (request.url === "/down/api/v1/marketing") return void response.writeHead(302, { Location: plain }).end();
      if (request.url === "/along/api/v1/marketing") return void response.writeHead(302, { Location: "/api/v1/marketing" }).end();
      response.setHeader("Content-Type", "application/json").end(BODY);
    }),
  );
  t.after(secure.close);
  const env = { NODE_EXTRA_CA_CERTS: trusted };

  const down = await run(["product", "--base-url", `${secure.url.replace("http:", "https:")}/down`], env);
  assert.equal(down.code, 4);
  assert.match(down.stderr, /never goes from https to http/);
  const along = await run(["product", "--json", "--base-url", `${secure.url.replace("http:", "https:")}/along`], env);
  assert.deepEqual([along.code, along.stdout], [0, BODY]);
  const distrusted = await run(["product", "--base-url", secure.url.replace("http:", "https:")]);
  assert.equal(distrusted.code, 3);
  assert.match(distrusted.stderr, /certificate/);
});

/** @param {number} count @param {string} retryAfter */
function exhausted(count, retryAfter) {
  return (/** @type {unknown} */ _, /** @type {import("node:http").ServerResponse} */ response, /** @type {number} */ asked) => {
    response.sendDate = true;
    if (asked > count) return void response.setHeader("Content-Type", "application/json").end(BODY);
    if (retryAfter) response.setHeader("Retry-After", retryAfter);
    response.writeHead(429, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ type: "https://x.example/problems/allowance-exhausted", title: "Exhausted", status: 429, detail: "d", resolution: "r" }));
  };
}

/** @type {[value: string, seconds: number | RegExp][]} */
const RETRIES = [
  ["42", 42],
  ["0", 1],
  ["", 60],
  ["soon", 60],
  ["-5", 60],
  ["99999999999999999999999", 1e23],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 1],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 1],
  ["Sun Nov  6 08:49:37 1994", 1],
];

for (const [value, seconds] of RETRIES) {
  test(`without --wait a 429 fails at once; Retry-After ${JSON.stringify(value)} is ${seconds} seconds`, async (t) => {
    const url = await serve(t, exhausted(1, value));
    const { code, stdout, stderr } = await run(["product", "--json", "--base-url", url]);
    assert.equal(code, 5);
    assert.equal(stdout, "");
    const problem = JSON.parse(stderr);
    assert.equal(problem.status, 429);
    assert.equal(problem.type, "https://x.example/problems/allowance-exhausted");
    assert.equal(problem.retryAfter, seconds);
  });
}

test("a 429 says to people when to ask again", async (t) => {
  const { code, stderr } = await run(["product", "--base-url", await serve(t, exhausted(1, "42"))]);
  assert.equal(code, 5);
  assert.match(stderr, /try again in 42 seconds, after \d\d:\d\d:\d\d; --wait does that for you/);
});

for (const form of ["seconds", "date"]) {
  test(`--wait waits as Retry-After says in ${form}, then asks once more`, async (t) => {
    const value = form === "seconds" ? "1" : new Date(Date.now() + 1500).toUTCString();
    const began = Date.now();
    const { code, stdout, stderr } = await run(["product", "--json", "--wait", "--base-url", await serve(t, exhausted(1, value))]);
    assert.deepEqual([code, stdout], [0, BODY]);
    assert.match(JSON.parse(stderr).notice, /asking again in 1 second|asking again in 2 seconds/);
    assert.ok(Date.now() - began >= 1000, "it waited");
  });
}

test("--wait waits once: a second 429 is exit 5, and the problem is the last line on stderr", async (t) => {
  const { code, stderr } = await run(["product", "--json", "--wait", "--base-url", await serve(t, exhausted(2, "1"))]);
  assert.equal(code, 5);
  const lines = stderr.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.exitCode), [undefined, 5]);
});

test("--wait does not wait for days", async (t) => {
  const { code, stderr } = await run(["product", "--wait", "--base-url", await serve(t, exhausted(2, "172800"))]);
  assert.equal(code, 5);
  assert.match(stderr, /try again in 2 days\n/);
});

test("a proxy in the environment is used where this Node can, else the way is told", async (t) => {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const proxy = await serve(t, (request, response) => {
    asked.push(request.url);
    response.setHeader("Content-Type", "application/json").end(BODY);
  });
  const { code, stderr } = await run(["product", "--base-url", "http://parley.invalid"], { HTTP_PROXY: proxy });
  if (process.allowedNodeEnvironmentFlags.has("--use-env-proxy")) {
    assert.equal(code, 0);
    assert.deepEqual(asked, ["http://parley.invalid/api/v1/marketing"]);
  } else {
    assert.equal(code, 3);
    assert.match(stderr, /HTTP_PROXY is set, but Node\.js .* cannot use a proxy here/);
  }
});

test("NO_PROXY and NODE_USE_ENV_PROXY=0 go past the proxy", async (t) => {
  const proxy = await serve(t, () => assert.fail("the proxy was asked"));
  const url = `${hostile.url}/good`;
  for (const [name, value] of [["NO_PROXY", "127.0.0.1"], ["NODE_USE_ENV_PROXY", "0"]]) {
    const { code } = await run(["product", "--base-url", url], { HTTP_PROXY: proxy, [name]: value });
    assert.equal(code, 0);
  }
});
