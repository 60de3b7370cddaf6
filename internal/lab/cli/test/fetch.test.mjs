/** How the tool handles servers that misbehave: each kind of misbehavior has its own exit code and message. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer as createTLSServer } from "node:https";
import path from "node:path";
import { after, test } from "node:test";

import { newCertificate } from "./helper/certificate.mjs";
import { BODY, bodyWith } from "./helper/facts.mjs";
import { startHostile } from "./helper/hostile.mjs";
import { listen, serve } from "./helper/listen.mjs";
import { NAME, newFolder, preload, run } from "./helper/run.mjs";

const hostile = await startHostile();
after(() => hostile.close());

/** @type {[way: string, code: number, words: RegExp, flags?: string[]][]} */
const FAULTS = [
  ["silent", 3, /no complete response within 0\.3 seconds/, ["--timeout", "0.3"]],
  ["slow", 3, /no complete response within 0\.3 seconds/, ["--timeout", "0.3"]],
  ["truncated", 3, /closed before the response was complete/],
  ["reset", 3, /closed before the response was complete/],
  ["not-http", 3, /the response is not HTTP/],
  ["other-protocol", 4, /returned 101/],
  ["wrong-type", 6, /has the type text\/html instead of application\/json/],
  ["no-type", 6, /no content type/],
  ["coded", 6, /content encoding gzip/],
  ["damaged", 6, /does not match its Repr-Digest/],
  ["html", 6, /text\/html/],
  ["html-as-json", 6, /not JSON/],
  ["not-utf8", 6, /not UTF-8/],
  ["empty", 6, /not JSON/],
  ["array", 6, /the document is not an object/],
  ["price-as-text", 6, /pricing\.plans\[0\]\.monthlyPrice is not a number/],
  ["price-infinite", 6, /pricing\.plans\[0\]\.monthlyPrice is not a number/],
  ["credits-fraction", 6, /pricing\.plans\[0\]\.includedCredits is not an integer/],
  ["no-contact", 6, /contact is missing/],
  ["link-number", 6, /links\.docs is not an absolute URI/],
  ["steps-null", 6, /gettingStarted\.steps\[0\] is not a string/],
  ["two-mebibytes", 6, /larger than 1 MiB/],
  ["endless", 6, /larger than 1 MiB/],
  ["error-html", 4, /returned 500: Internal Server Error/],
  ["error-huge-problem", 4, /returned 503: Service Unavailable/],
  ["error-problem", 4, /returned 403: not you\n {2}check the base URL/],
  ["empty-ok", 4, /returned 204/],
  ["unasked-304", 4, /returned 304/],
  ["loop", 4, /redirects more than 5 times/],
  ["to-file", 4, /does not follow/],
  ["to-nonsense", 4, /redirects to an invalid URL/],
  ["to-nowhere", 4, /returned 302/],
];

for (const [way, code, words, flags = []] of FAULTS) {
  test(`server behavior ${way}: exit ${code}`, async () => {
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

for (const way of ["good", "to-good", "unmeasured", "chunked", "digested", "digested-otherwise"]) {
  test(`server behavior ${way}: the body as served`, async () => {
    const { code, stdout, stderr } = await run(["product", "--json", "--base-url", `${hostile.url}/${way}`]);
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  });
}

test("a body just under the limit passes through a pipe", async () => {
  const { code, stdout } = await run(["product", "--json", "--base-url", `${hostile.url}/almost-a-mebibyte`]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).padding.length, 1024 * 1024 - 4096);
});

const PARTS = JSON.parse(BODY);

/** @type {[members: {[member: string]: unknown}, words: RegExp][]} */
const NO_INFORMATION = [
  ...["not a uri", "hello", "/pricing", "//parley.example", "https:", "https://", "https://:80/x", "http:parley.example", "https://x.example:port/",
    "https://x.example/%zz", "https://x.example/a b", "https://x.example/\u00e4", "https://x.example/<", "", 7, null].map(
    (url) => /** @type {[{}, RegExp]} */ ([{ url }, /: url is not an absolute URI\n/]),
  ),
  [{ links: { docs: "click here" } }, /: links\.docs is not an absolute URI/],
  [{ links: { docs: "javascript:alert(1)" } }, /: links\.docs is not an absolute URI/],
  [{ links: { docs: "data:text/html,x" } }, /: links\.docs is not an absolute URI/],
  [{ pricing: { ...PARTS.pricing, url: "pricing" } }, /: pricing\.url is not an absolute URI/],
  [{ gettingStarted: { demo: "tomorrow at ten" } }, /: gettingStarted\.demo is not an absolute URI/],
  ...["hello", "hello@", "@parley.example", "a b@x.example", "A <a@x.example>", "<a@x.example>", "a@b@c", "a..b@x.example", ".a@x.example",
    "a@x.example.", "mailto:a@x.example", "a@x.example\n", "\u00e4@x.example", 7].map(
    (contact) => /** @type {[{}, RegExp]} */ ([{ contact }, /: contact is not an e-mail address/]),
  ),
];
for (const amount of ["-1", "-0", "-0.01", "1e999", "-1e999", "null", "true", '"49"']) {
  const plans = (/** @type {object} */ plan) => ({ pricing: { ...PARTS.pricing, plans: [{ name: "P", monthlyPrice: 1, includedCredits: 1, ...plan }] } });
  NO_INFORMATION.push([plans({ monthlyPrice: `#${amount}#` }), /: pricing\.plans\[0\]\.monthlyPrice is not a number from 0 up/]);
  NO_INFORMATION.push([plans({ includedCredits: `#${amount}#` }), /: pricing\.plans\[0\]\.includedCredits is not an integer from 0 up/]);
}

test("an invalid printed member: exit 6, without output or a cache entry", async (t) => {
  let body = "";
  const url = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(body));
  for (const [members, words] of NO_INFORMATION) {
    body = bodyWith(members).replace(/"#(.*?)#"/, (_, amount) => amount.replaceAll("\\", ""));
    const { code, stdout, stderr } = await run(["product", "--base-url", url]);
    assert.match(stderr, words, body);
    assert.deepEqual([code, stdout], [6, ""]);
  }
});

test("the tool prints all values that a site's build accepts", async (t) => {
  let body = "";
  const url = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(body));
  const links = [
    "mailto:a@b.c", "tel:+49", "urn:x", "HTTPS://X.example", "https://a@x.example:8443/%C3%A4?q=[1]#b#c", "https://[::1]:80/", "https://x.example:80?q",
    "http://256.1.1.1/", "https://x.example/" + "a".repeat(500_000),
  ];
  for (const contact of ["a@b", "first.last+tag@x.example", "o'neil!#$%&*/=?^_`{|}~-@x-y.example", "a@[127.0.0.1]"]) {
    body = bodyWith({ contact, links: { ...links } });
    const { code, stdout, stderr } = await run(["product", "--base-url", url]);
    assert.deepEqual([code, stderr], [0, ""]);
    for (const text of [contact, ...links]) assert.ok(stdout.includes(text));
  }
});

test("a deeply nested document does not crash the tool", async () => {
  const page = await run(["product", "--base-url", `${hostile.url}/deep`]);
  assert.equal(page.code, 0);
  const part = await run(["pricing", "--json", "--base-url", `${hostile.url}/deep`]);
  assert.equal(part.code, 6);
  assert.match(JSON.parse(part.stderr).detail, /nested too deeply/);
});

test("--json prints the server's problem with its members and the actual status", async () => {
  const { stderr } = await run(["pricing", "--json", "--base-url", `${hostile.url}/error-problem`]);
  const problem = JSON.parse(stderr);
  assert.equal(problem.type, "https://x.example/p");
  assert.equal(problem.status, 403);
  assert.equal(problem.resolution, "check the base URL");
  assert.deepEqual(problem.extra, ["kept"]);
});

test("a host without a server: exit 3", async () => {
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

test("a redirect from https to http is rejected, and one within https is followed", async (t) => {
  const { key, cert } = newCertificate();
  const trusted = path.join(newFolder(t), "ca.pem");
  writeFileSync(trusted, cert);
  const plain = await serve(t, () => assert.fail("the plain server received a request"));
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
  assert.match(down.stderr, /never from https to http/);
  const along = await run(["product", "--json", "--base-url", `${secure.url.replace("http:", "https:")}/along`], env);
  assert.deepEqual([along.code, along.stdout], [0, BODY]);
  const distrusted = await run(["product", "--base-url", secure.url.replace("http:", "https:")]);
  assert.equal(distrusted.code, 3);
  assert.match(distrusted.stderr, /certificate/);
});

/**
 * @param {number} count the number of responses with 429
 * @param {string | (() => string)} retryAfter the value of Retry-After, or a function that returns it for each response
 */
function exhausted(count, retryAfter) {
  return (/** @type {unknown} */ _, /** @type {import("node:http").ServerResponse} */ response, /** @type {number} */ asked) => {
    response.sendDate = true;
    if (asked > count) return void response.setHeader("Content-Type", "application/json").end(BODY);
    if (retryAfter) response.setHeader("Retry-After", typeof retryAfter === "string" ? retryAfter : retryAfter());
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
  test(`without --wait, a 429 fails immediately; Retry-After ${JSON.stringify(value)} is ${seconds} seconds`, async (t) => {
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

test("a 429 prints the time of the next try", async (t) => {
  const { code, stderr } = await run(["product", "--base-url", await serve(t, exhausted(1, "42"))]);
  assert.equal(code, 5);
  assert.match(stderr, /try again in 42 seconds, after \d\d:\d\d:\d\d, or use --wait/);
});

for (const form of ["seconds", "date"]) {
  test(`--wait waits for a Retry-After in ${form}, then tries again once`, async (t) => {
    const value = form === "seconds" ? "1" : () => new Date(Date.now() + 1999).toUTCString();
    const began = Date.now();
    const { code, stdout, stderr } = await run(["product", "--json", "--wait", "--base-url", await serve(t, exhausted(1, value))]);
    assert.deepEqual([code, stdout], [0, BODY]);
    assert.match(JSON.parse(stderr).notice, /trying again in 1 second|trying again in 2 seconds/);
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

test("with --wait, the message does not suggest --wait", async (t) => {
  const { code, stderr } = await run(["product", "--wait", "--base-url", await serve(t, exhausted(2, "1"))]);
  assert.equal(code, 5);
  assert.match(stderr, /try again in 1 second, after \d\d:\d\d:\d\d\n$/);
});

test("a 503 with Retry-After prints the time of the next try", async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(503, { "Retry-After": "90" }).end());
  assert.match((await run(["product", "--base-url", url])).stderr, /the server has a problem; try again in 90 seconds, after/);
  const { code, stderr } = await run(["product", "--json", "--base-url", url]);
  assert.deepEqual([code, JSON.parse(stderr).retryAfter], [4, 90]);
});

/**
 * Starts a proxy that responds with the product information. Returns its URL and the request targets that it receives.
 *
 * @param {import("node:test").TestContext} t
 */
async function startProxy(t) {
  /** @type {(string | undefined)[]} */
  const asked = [];
  const url = await serve(t, (request, response) => {
    asked.push(request.url);
    response.setHeader("Content-Type", "application/json").end(BODY);
  });
  return { url, asked };
}

const CAN_PROXY = process.allowedNodeEnvironmentFlags.has("--use-env-proxy");

test("a proxy in the environment is used, in curl's order of names", { skip: !CAN_PROXY && "this Node has no proxies" }, async (t) => {
  const { url, asked } = await startProxy(t);
  /** @type {{[name: string]: string}[]} */
  const settings = [
    { HTTP_PROXY: url },
    { http_proxy: url, HTTP_PROXY: "socks5://127.0.0.1:1" },
    { HTTP_PROXY: url.replace("http:", "HTTP:") + "/", ALL_PROXY: "socks5://127.0.0.1:1" },
    { ALL_PROXY: url, HTTPS_PROXY: "nonsense" },
    { all_proxy: url, NO_PROXY: "127.0.0.1,.example" },
    { HTTP_PROXY: url.replace("//", "//someone:secret@") },
  ];
  for (const env of settings) {
    const { code, stderr } = await run(["product", "--base-url", "http://parley.invalid"], env);
    assert.deepEqual([code, stderr], [0, ""], JSON.stringify(env));
  }
  assert.deepEqual(asked, Array(settings.length).fill("http://parley.invalid/api/v1/marketing"));
});

/** @type {[value: string, fault: RegExp][]} */
const NO_PROXIES = [
  ["127.0.0.1:3128", /a proxy needs its scheme, http or https/],
  ["proxy.example:3128", /a proxy needs its scheme/],
  ["//proxy.example", /a proxy needs its scheme/],
  ["someone:secret@proxy.example:3128", /a proxy needs its scheme/],
  [" ", /a proxy needs its scheme/],
  ["socks5://127.0.0.1:1080", /cannot use a socks5 proxy, only http and https/],
  ["socks5h://someone:secret@127.0.0.1:1080", /cannot use a socks5h proxy/],
  ["SOCKS://127.0.0.1", /cannot use a SOCKS proxy/],
  ["ftp://proxy.example", /cannot use a ftp proxy/],
  ["http://", /the proxy is not a URL/],
  ["http://someone:secret@proxy:port", /the proxy is not a URL/],
  ["http://some%zz:secret@127.0.0.1:1", /the proxy is not a URL/],
];

for (const [index, [value, fault]] of NO_PROXIES.entries()) {
  test(`an unusable proxy is never bypassed: ${value}`, { skip: !CAN_PROXY && "this Node has no proxies" }, async (t) => {
    const url = await serve(t, () => assert.fail("the request bypassed the proxy"));
    const name = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"][index % 4];
    const { code, stdout, stderr } = await run(["product", "--base-url", url], { [name]: value });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, fault);
    assert.ok(stderr.startsWith(`${NAME}: error: ${name}: `), stderr);
    assert.ok(stderr.includes(`\n  write ${name}=http://HOST:PORT; NO_PROXY=127.0.0.1 or NODE_USE_ENV_PROXY=0 disables the proxy`), stderr);
    assert.doesNotMatch(stderr, /secret/);
    const json = await run(["product", "--json", "--base-url", url], { [name]: value });
    assert.deepEqual([json.code, json.stdout, JSON.parse(json.stderr).exitCode], [2, "", 2]);
  });
}

test("a Node without proxy support does not bypass a proxy", async (t) => {
  const url = await serve(t, () => assert.fail("the request bypassed the proxy"));
  const { code, stderr } = await run(["product", "--base-url", url], { HTTP_PROXY: "http://127.0.0.1:1" }, preload("noproxy"));
  assert.equal(code, 2);
  assert.match(stderr, /HTTP_PROXY: Node\.js [\d.]+ cannot use a proxy here\n {2}use Node\.js 22\.21, 24\.5, or later; NO_PROXY=/);
});

test("a redirect does not bypass an unusable proxy", async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(302, { Location: "http://localhost:1/" }).end());
  const { code, stderr } = await run(["product", "--base-url", url], { HTTP_PROXY: "socks5://127.0.0.1", NO_PROXY: "127.0.0.1" });
  assert.equal(code, 2);
  assert.match(stderr, /HTTP_PROXY: /);
});

test("the message names a proxy that does not respond", { skip: !CAN_PROXY && "this Node has no proxies" }, async () => {
  const { code, stderr } = await run(["product", "--base-url", "http://parley.invalid"], { HTTP_PROXY: "http://127.0.0.1:1" });
  assert.equal(code, 3);
  assert.match(stderr, /HTTP_PROXY is set, so check the proxy too/);
});

test("NO_PROXY and NODE_USE_ENV_PROXY=0 disable the proxy, even an unusable one", async (t) => {
  const proxy = await serve(t, () => assert.fail("the proxy received a request"));
  const url = `${hostile.url}/good`;
  const { port } = new URL(hostile.url);
  /** @type {[name: string, value: string][]} */
  const ways = [
    ...["*", "127.0.0.1", ` x.example , 127.0.0.1:${port}`, "127.0.0.1-127.0.0.2", ".0.0.1", "*.0.0.1"].map((list) => /** @type {[string, string]} */ (["NO_PROXY", list])),
    ["no_proxy", "127.0.0.1"],
    ["NODE_USE_ENV_PROXY", "0"],
  ];
  for (const [name, value] of ways) {
    for (const unused of [proxy, "socks5://127.0.0.1"]) {
      const { code, stderr } = await run(["product", "--base-url", url], { HTTP_PROXY: unused, [name]: value });
      assert.deepEqual([code, stderr], [0, ""], `${name}=${value}`);
    }
  }
  for (const list of ["0.0.1", "127.0.0.1:1", "127.0.0.2-127.0.0.9", "x.example", ".27.0.0.1", "127.0.0.0/8", ","]) {
    const { code } = await run(["product", "--base-url", url], { HTTP_PROXY: "socks5://127.0.0.1", NO_PROXY: list });
    assert.equal(code, 2, list);
  }
});
