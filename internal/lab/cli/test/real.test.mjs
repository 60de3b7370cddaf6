/**
 * The tool with the site at VITRINE_URL, which vitrined serves. The last test exhausts the server's
 * allowance, so each run needs a fresh server.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { serve } from "./helper/listen.mjs";
import { BASE_URL_VARIABLE, NAME, TOOL, fromEnvironment, newFolder, run } from "./helper/run.mjs";

const SITE = fromEnvironment("VITRINE_URL").replace(/\/+$/, "");
const ENDPOINT = `${SITE}/api/v1/marketing`;

const first = await fetch(ENDPOINT);
assert.equal(first.status, 200, "VITRINE_URL responds, and no earlier run has used up its allowance");
const body = await first.text();

/** @param {...string} args */
function ask(...args) {
  return run([...args, "--base-url", SITE]);
}

test("product --json is the body, byte for byte", async () => {
  const { code, stdout, stderr } = await ask("product", "--json");
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: body, stderr: "" });
});

test("pricing and signup --json are parts of it", async () => {
  const { pricing, gettingStarted, links } = JSON.parse(body);
  assert.deepEqual(JSON.parse((await ask("pricing", "--json")).stdout), pricing);
  assert.deepEqual(JSON.parse((await ask("signup", "--json")).stdout), { gettingStarted, links });
});

test("the pages contain the site's facts", async () => {
  const { name, pricing, links } = JSON.parse(body);
  const product = await run(["product"], { [BASE_URL_VARIABLE]: SITE });
  assert.ok(product.stdout.startsWith(name));
  const prices = await ask("pricing");
  for (const plan of pricing.plans) assert.ok(prices.stdout.includes(plan.name));
  const page = await (await fetch(`${SITE}/pricing.md`)).text();
  const published = Array.from(page.matchAll(/^\| [^|]+ \| (\d\S*) \| (\S+) \|$/gm), ([, credits, price]) => ({ credits, price }));
  assert.equal(published.length, pricing.plans.length);
  for (const { credits, price } of published) {
    assert.match(prices.stdout, new RegExp(` ${price.replace(/[$.]/g, "\\$&")} +${credits}$`, "m"), "as on the site");
  }
  const signup = await ask("signup");
  for (const url of Object.values(links)) assert.ok(signup.stdout.includes(String(url)));
  assert.deepEqual([product, prices, signup].map(({ code, stderr }) => code + stderr), ["0", "0", "0"]);
});

test("a 304 confirms a stored response", async (t) => {
  /** @type {number[]} */
  const statuses = [];
  const between = await serve(t, async (request, response) => {
    const etag = request.headers["if-none-match"];
    const answer = await fetch(SITE + request.url, { headers: etag ? { "If-None-Match": etag } : {} });
    statuses.push(answer.status);
    for (const name of ["content-type", "etag", "cache-control"]) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(await answer.text());
  });
  const folder = newFolder(t);
  const product = () => run(["product", "--json", "--base-url", between], { XDG_CACHE_HOME: folder });
  assert.equal((await product()).stdout, body);
  for (const name of readdirSync(path.join(folder, NAME))) {
    const file = path.join(folder, NAME, name);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), savedAt: Date.now() - 301_000 }));
  }
  assert.equal((await product()).stdout, body);
  assert.deepEqual(statuses, [200, 304]);
});

test("a base URL without the interface: exit 4", async () => {
  const { code, stderr } = await run(["product", "--base-url", `${SITE}/nowhere`]);
  assert.equal(code, 4);
  assert.match(stderr, /returned 404/);
});

test("the site serves this very file, and its digest in the form that sha256sum -c reads", async () => {
  const file = Buffer.from(await (await fetch(`${SITE}/cli/${NAME}.mjs`)).arrayBuffer());
  assert.ok(file.equals(readFileSync(TOOL)), "the tests use the served file");
  const sum = await (await fetch(`${SITE}/cli/${NAME}.mjs.sha256`)).text();
  assert.equal(sum, `${createHash("sha256").update(file).digest("hex")}  ${NAME}.mjs\n`);
});

test("an exhausted allowance: exit 5, the site's problem, and the time of the next try", async () => {
  let status = 200;
  for (let count = 0; status === 200 && count < 200; count++) {
    const answer = await fetch(ENDPOINT);
    await answer.arrayBuffer();
    status = answer.status;
  }
  assert.equal(status, 429);
  const { code, stdout, stderr } = await ask("product", "--json");
  assert.equal(code, 5);
  assert.equal(stdout, "");
  const problem = JSON.parse(stderr);
  assert.match(problem.type, /\/problems\/allowance-exhausted$/);
  assert.equal(problem.status, 429);
  assert.ok(problem.retryAfter >= 1 && problem.retryAfter <= 60);
});
