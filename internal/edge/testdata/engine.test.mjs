// Tests how the engine handles a platform's responses. TestEngine runs this file and passes the manifest of its site as
// a file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createHandler } from "../js/engine.mjs";
import { below } from "../js/mount.mjs";

const manifest = JSON.parse(readFileSync(process.env.MANIFEST, "utf8"));
const site = "https://parley.example";

/** A platform whose files have the sizes of the build, unless a test sets other bodies. */
function platform({ status = 200, body, length = true } = {}) {
  const asked = [];
  const fetchAsset = async (request) => {
    asked.push(request);
    const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
    const bytes = body ?? (path.includes("short") ? `${path}\n` : `${path}\n`.repeat(200));
    const headers = length ? { "Content-Length": String(new TextEncoder().encode(bytes).length), "X-Of-The-Platform": "1" } : {};
    return new Response(new Blob([bytes]).stream(), { status, headers });
  };
  return { asked, fetchAsset };
}

const get = (path, init) => new Request(site + path, init);

test("a file is requested without the client's header fields", async () => {
  const { asked, fetchAsset } = platform();
  const response = await createHandler(manifest)(get("/pricing?x", {
    headers: { "If-None-Match": '"x"', Range: "bytes=0-1", "Accept-Encoding": "br", Accept: "text/markdown", Cookie: "a=b" },
  }), fetchAsset);
  assert.equal(response.status, 200);
  assert.equal(asked.length, 1);
  assert.equal(asked[0].url, site + "/pricing.md");
  assert.equal(asked[0].method, "GET");
  assert.deepEqual([...asked[0].headers], [["accept-encoding", "identity"]]);
});

test("the response has our own date, and no fields of the platform's response", async () => {
  const response = await createHandler(manifest)(get("/pricing"), platform().fetchAsset);
  assert.equal(response.headers.get("X-Of-The-Platform"), null);
  assert.match(response.headers.get("Date"), /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} [\d:]{8} GMT$/);
});

test("a file's name is percent-encoded", async () => {
  const { asked, fetchAsset } = platform();
  const response = await createHandler(manifest)(get("/caf%C3%A9"), fetchAsset);
  assert.equal(response.status, 200);
  assert.equal(asked[0].url, site + "/caf%C3%A9.html");
});

test("HEAD, 304, and redirects request no file", async () => {
  const { asked, fetchAsset } = platform();
  const handle = createHandler(manifest);
  const head = await handle(get("/pricing", { method: "HEAD" }), fetchAsset);
  assert.equal(head.headers.get("Content-Length"), String("pricing.html\n".length * 200));
  const etag = head.headers.get("ETag");
  assert.equal((await handle(get("/pricing", { headers: { "If-None-Match": `W/${etag}` } }), fetchAsset)).status, 304);
  assert.equal((await handle(get("/pricing/"), fetchAsset)).status, 308);
  assert.equal(asked.length, 0);
});

for (const [what, given] of [
  ["is missing", { status: 404 }],
  ["is partial", { status: 206 }],
  ["has another length", { body: "of another build" }],
  ["has another length without a Content-Length", { body: "of another build", length: false }],
]) {
  test(`a file that ${what} causes an internal error with correct counters`, async () => {
    const response = await createHandler(manifest)(get("/api/v1/marketing"), platform(given).fetchAsset);
    assert.equal(response.status, 500);
    assert.equal(response.headers.get("Content-Type"), "application/problem+json");
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.equal(response.headers.get("X-RateLimit-Remaining"), "119");
    assert.equal((await response.json()).status, 500);
  });
}

test("a file without a Content-Length is sent if its length is correct", async () => {
  const response = await createHandler(manifest)(get("/pricing"), platform({ length: false }).fetchAsset);
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "pricing.html\n".repeat(200));
});

test("each handler has its own limited allowance", async () => {
  const { fetchAsset } = platform();
  const handle = createHandler(manifest);
  for (let left = 119; left >= 0; left--) {
    const response = await handle(get("/api"), fetchAsset);
    assert.equal(response.headers.get("X-RateLimit-Remaining"), String(left));
  }
  const refused = await handle(get("/api/marketing"), fetchAsset);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("Retry-After")) >= 1);
  assert.equal((await createHandler(manifest)(get("/api"), fetchAsset)).status, 200);
});

test("property names of every object are ordinary path names", async () => {
  const handle = createHandler(manifest);
  assert.equal((await handle(get("/__proto__"), platform().fetchAsset)).status, 200);
  assert.equal((await handle(get("/valueOf"), platform({ body: "404.html\n".repeat(200) }).fetchAsset)).status, 404);
});

test("the User-Agent selects a representation if the site enabled it", async () => {
  const names = { ...manifest, agents: [["gptbot"], ["googlebot"]] };
  const headers = (userAgent) => ({ headers: { "User-Agent": userAgent, Accept: "*/*" } });
  for (const [table, userAgent, file] of [
    [names, "Mozilla/5.0 (compatible; GPTBot/1.3)", "/pricing.md"], [names, "Googlebot/2.1", "/pricing.html"],
    [names, "Googlebot/2.1 GPTBot/1.3", "/pricing.html"], [manifest, "Mozilla/5.0 (compatible; GPTBot/1.3)", "/pricing.html"],
  ]) {
    const { asked, fetchAsset } = platform();
    await createHandler(table)(get("/pricing", headers(userAgent)), fetchAsset);
    assert.equal(asked[0].url, site + file, userAgent);
  }
});

test("a site under a path serves no paths outside it, and redirects within it", async () => {
  const handle = below("/acorn", createHandler(manifest));
  const { asked, fetchAsset } = platform();
  for (const [path, status, location] of [
    ["/acorn/pricing", 200], ["/%61corn/pricing", 200], ["/acorn/pricing?x", 200],
    ["/acorn", 308, "/acorn/"], ["/acorn?a=1", 308, "/acorn/?a=1"], ["/acorn/pricing/", 308, "/acorn/pricing"],
    ["/", 404], ["/pricing", 404], ["/acornx", 404], ["/ACORN/pricing", 404], ["//acorn/pricing", 404],
    ["/acorn%2fpricing", 404], ["/acorn/acorn/pricing", 404], ["/acorn/api/no", 404], ["/acorn/%zz", 404],
  ]) {
    const response = await handle(get(path), fetchAsset);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get("Location"), location ?? null, path);
    assert.equal(response.headers.get("Content-Type")?.startsWith("application/problem"), status === 308 ? undefined : path.startsWith("/acorn/api"), path);
  }
  assert.equal(asked[0].url, site + "/pricing.html");
});
