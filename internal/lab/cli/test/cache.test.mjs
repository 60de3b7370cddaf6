/** The five-minute cache: its hits, its revalidation, and its failures. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";

import { BODY, bodyWith } from "./helper/facts.mjs";
import { listen, serve } from "./helper/listen.mjs";
import { NAME, ended, newFolder, run, start } from "./helper/run.mjs";

const MINUTE = 60_000;
const NEWER = bodyWith({ description: "Newer." });

/**
 * Returns a server with changeable responses, and a cache folder.
 *
 * @param {import("node:test").TestContext} t
 */
async function newScene(t) {
  const folder = newFolder(t);
  const scene = {
    body: BODY,
    etag: '"0123456789abcdef"',
    cacheControl: "private, max-age=300",
    status: 200,
    retryAfter: "",
    /** @type {(string | undefined)[]} the If-None-Match of each request */
    asked: [],
    url: "",
    /** @type {() => Promise<void>} */
    close: async () => {},
    folder,
    /** @param {...string} flags */
    product: (...flags) => run(["product", "--json", "--base-url", scene.url, ...flags], { XDG_CACHE_HOME: folder }),
    /** @param {...string} flags */
    page: (...flags) => run(["product", "--base-url", scene.url, ...flags], { XDG_CACHE_HOME: folder }),
    file: () => path.join(folder, NAME, only(readdirSync(path.join(folder, NAME)))),
    /** @param {number} ms */
    age: (ms) => scene.edit((kept) => ({ ...kept, savedAt: Date.now() - ms })),
    /** @param {(kept: any) => object} change */
    edit: (change) => writeFileSync(scene.file(), JSON.stringify(change(JSON.parse(readFileSync(scene.file(), "utf8"))))),
  };
  const server = await listen(
    createServer((request, response) => {
      scene.asked.push(request.headers["if-none-match"]);
      if (scene.etag) response.setHeader("ETag", scene.etag);
      if (scene.status !== 200) {
        response.setHeader("Cache-Control", "no-store"); // as in the contract for 429
        if (scene.retryAfter) response.setHeader("Retry-After", scene.retryAfter);
        return response.writeHead(scene.status).end();
      }
      response.setHeader("Cache-Control", scene.cacheControl);
      if (scene.etag && request.headers["if-none-match"] === scene.etag) return response.writeHead(304).end();
      response.setHeader("Content-Type", "application/json").end(scene.body);
    }),
  );
  t.after(server.close);
  scene.url = server.url;
  scene.close = server.close;
  return scene;
}

/** @param {string[]} names */
function only(names) {
  assert.equal(names.length, 1, `one file, and no temporary file: ${names}`);
  return names[0];
}

test("a stored response is used for five minutes, without a request", async (t) => {
  const scene = await newScene(t);
  assert.equal((await scene.product()).stdout, BODY);
  scene.age(4.9 * MINUTE);
  const { code, stdout, stderr } = await scene.product();
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  assert.equal(scene.asked.length, 1);
});

test("all commands use the same stored response", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  for (const command of ["product", "pricing", "signup"]) {
    assert.equal((await run([command, "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder })).code, 0);
  }
  assert.equal(scene.asked.length, 1);
});

test("a response is revalidated after five minutes, and a 304 makes it fresh again", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(5 * MINUTE);
  assert.equal((await scene.product()).stdout, BODY);
  assert.equal((await scene.product()).stdout, BODY);
  assert.deepEqual(scene.asked, [undefined, scene.etag]);
});

test("after a change, the new response replaces the stored one", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(6 * MINUTE);
  [scene.body, scene.etag] = [NEWER, '"new"'];
  assert.equal((await scene.product()).stdout, NEWER + "\n");
  assert.equal((await scene.product()).stdout, NEWER + "\n");
  assert.equal(scene.asked.length, 2);
});

test("a response without an ETag is fetched again", async (t) => {
  const scene = await newScene(t);
  scene.etag = "";
  await scene.product();
  scene.age(6 * MINUTE);
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(scene.asked, [undefined, undefined]);
});

test("a response from the future is revalidated, because the clock has been set back", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(-60 * MINUTE);
  await scene.product();
  assert.deepEqual(scene.asked, [undefined, scene.etag]);
});

test("--no-cache neither uses nor stores a response", async (t) => {
  const scene = await newScene(t);
  await scene.product("--no-cache");
  assert.deepEqual(readdirSync(scene.folder), []);
  await scene.product();
  await scene.product("--no-cache");
  assert.deepEqual(scene.asked, [undefined, undefined, undefined]);
});

test("a response with no-store is not stored", async (t) => {
  const scene = await newScene(t);
  scene.cacheControl = "no-store";
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(readdirSync(scene.folder), []);
});

test("only 200s are stored, and an error leaves the stored response unchanged", async (t) => {
  const scene = await newScene(t);
  scene.body = "{}";
  assert.equal((await scene.product()).code, 6);
  assert.deepEqual(readdirSync(scene.folder), []);
  scene.body = BODY;
  await scene.product();
  scene.age(6 * MINUTE);
  [scene.body, scene.etag] = ["{}", '"broken"'];
  assert.equal((await scene.product()).code, 6);
  await scene.close();
  assert.equal((await scene.product()).stdout, BODY);
});

test("each deployment has its own cache", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  const other = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(NEWER));
  const { stdout } = await run(["product", "--json", "--base-url", other], { XDG_CACHE_HOME: scene.folder });
  assert.equal(stdout, NEWER + "\n");
});

for (const [age, words] of /** @type {[number, string][]} */ ([[6, "6 minutes"], [60 * 5, "5 hours"], [60 * 24 * 9, "9 days"]])) {
  test(`without a network, a response from ${words} ago is used, with a warning`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(age * MINUTE + 500);
    await scene.close();
    const { code, stdout, stderr } = await run(["product", "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder });
    assert.equal(code, 0);
    assert.ok(stdout.startsWith("Parley\n"));
    assert.match(stderr, new RegExp(`^${NAME}: warning: cannot read .*refused; using the response from ${words} ago\n$`));
    const json = await scene.product();
    assert.deepEqual([json.code, json.stdout], [0, BODY]);
    assert.ok(JSON.parse(json.stderr).notice.includes(words));
    assert.equal((await scene.product("--no-cache")).code, 3);
  });
}

for (const status of [429, 500, 502, 503, 504]) {
  test(`after a ${status}, the stored response is used, with a warning and its age`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(7 * MINUTE + 500);
    scene.status = status;
    const page = await scene.page();
    assert.equal(page.code, 0);
    assert.ok(page.stdout.startsWith("Parley\n"));
    assert.match(page.stderr, new RegExp(`^${NAME}: warning: http\\S+ returned ${status}: .*; using the response from 7 minutes ago\n$`));
    const { code, stdout, stderr } = await scene.product();
    assert.deepEqual([code, stdout], [0, BODY]);
    assert.match(JSON.parse(stderr).notice, /returned \d+: .*7 minutes ago$/);
    assert.equal((await scene.product("--no-cache")).code, status === 429 ? 5 : 4);
    assert.equal(scene.asked.length, 4, "no Retry-After");
    scene.status = 200;
    assert.equal((await scene.product()).stderr, "");
  });
}

test("a permanent error is reported even if there is a stored response", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(6 * MINUTE);
  for (const status of [400, 403, 404, 410]) {
    scene.status = status;
    const { code, stdout } = await scene.product();
    assert.deepEqual([code, stdout], [4, ""]);
  }
  const proxy = await run(["product", "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder, HTTP_PROXY: "socks5://127.0.0.1" });
  assert.deepEqual([proxy.code, proxy.stdout], [2, ""]);
});

for (const status of [429, 503]) {
  const refused = status === 429 ? 5 : 4;
  test(`Retry-After of a ${status} is stored between runs, without a response`, async (t) => {
    const scene = await newScene(t);
    [scene.status, scene.retryAfter] = [status, "600"];
    assert.equal((await scene.product()).code, refused);
    const { code, stdout, stderr } = await scene.product();
    assert.deepEqual([code, stdout], [refused, ""]);
    const problem = JSON.parse(stderr);
    assert.equal(problem.status, status);
    assert.ok(problem.retryAfter > 500 && problem.retryAfter <= 600);
    const page = await scene.page();
    assert.equal(page.code, refused);
    assert.match(page.stderr, /no request was sent, because the Retry-After time of an earlier response has not passed\n {2}.*try again in (10|9) minutes, after \d\d:/);
    assert.equal(scene.asked.length, 1);

    scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, at: Date.now() - 2000, until: Date.now() - 1000 } }));
    scene.status = 200;
    assert.deepEqual(await scene.product(), { code: 0, signal: null, stdout: BODY, stderr: "" });
    assert.equal(scene.asked.length, 2, "the next request comes after the Retry-After time");
    assert.equal(JSON.parse(readFileSync(scene.file(), "utf8")).refusal, undefined);
  });

  test(`Retry-After of a ${status} is stored with the response, which is used`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(7 * MINUTE + 500);
    [scene.status, scene.retryAfter] = [status, "600"];
    for (let count = 0; count < 3; count++) {
      const { code, stdout, stderr } = await scene.product();
      assert.deepEqual([code, stdout], [0, BODY]);
      assert.match(JSON.parse(stderr).notice, new RegExp(`returned ${status}: .*; using the response from 7 minutes ago$`));
    }
    assert.deepEqual(scene.asked, [undefined, scene.etag]);
    scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, until: Date.now() } }));
    scene.status = 200;
    assert.equal((await scene.product()).stderr, "");
    assert.deepEqual(scene.asked, [undefined, scene.etag, scene.etag], "the ETag is stored with it");
  });
}

test("the rest of a stored Retry-After does not grow with each run", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "2"];
  const end = Date.now() + 60_000;
  while (scene.asked.length < 2 && Date.now() < end) await scene.product();
  assert.equal(scene.asked.length, 2);
});

test("a huge Retry-After is stored as the maximum", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "9".repeat(30)];
  await scene.product();
  const { code, stderr } = await scene.product("--wait");
  assert.equal(code, 5);
  assert.ok(JSON.parse(stderr).retryAfter > 9e8);
  assert.equal(scene.asked.length, 1);
});

test("--wait waits for the rest of a stored Retry-After, then sends one request", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "600"];
  await scene.product();
  // This is long enough for the tool to start on a slow machine.
  scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, until: Date.now() + 10_000 } }));
  scene.status = 200;
  const { code, stdout, stderr } = await scene.product("--wait");
  assert.deepEqual([code, stdout], [0, BODY]);
  assert.match(JSON.parse(stderr).notice, /trying again in ([1-9]|10) seconds?$/);
  assert.equal(scene.asked.length, 2);
});

test("an interrupted wait is stored too", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "600"];
  const child = start(["product", "--wait", "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder });
  const ending = ended(child);
  await once(child.stderr, "data");
  child.kill("SIGINT");
  assert.equal((await ending).code, 130);
  assert.equal((await scene.page()).code, 5);
  assert.equal(scene.asked.length, 1);
});

/** @type {{[name: string]: (kept: any) => object}} */
const FORGOTTEN = {
  "from the future": (kept) => ({ ...kept, refusal: { ...kept.refusal, at: Date.now() + MINUTE, until: Date.now() + 2 * MINUTE } }),
  "without a time": (kept) => ({ ...kept, refusal: { status: 429, at: 0, until: "later" } }),
  "of another status": (kept) => ({ ...kept, refusal: { ...kept.refusal, status: 200 } }),
  "not an object": (kept) => ({ ...kept, refusal: [429] }),
};

for (const [name, change] of Object.entries(FORGOTTEN)) {
  test(`an invalid stored Retry-After is ignored: ${name}`, async (t) => {
    const scene = await newScene(t);
    [scene.status, scene.retryAfter] = [429, "600"];
    await scene.product();
    scene.edit(change);
    scene.status = 200;
    assert.equal((await scene.product()).code, 0);
  });
}

test("--no-cache ignores Retry-After, and each deployment has its own", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "600"];
  await scene.product("--no-cache");
  assert.deepEqual(readdirSync(scene.folder), []);
  await scene.product();
  await scene.product("--no-cache");
  assert.equal(scene.asked.length, 3);
  const other = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(NEWER));
  assert.equal((await run(["product", "--base-url", other], { XDG_CACHE_HOME: scene.folder })).code, 0);
});

test("only the user can read the file and its folder", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  assert.equal(statSync(scene.file()).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(scene.file())).mode & 0o777, 0o700);
});

/** @type {{[name: string]: (scene: Awaited<ReturnType<typeof newScene>>) => void}} */
const DAMAGES = {
  empty: (scene) => writeFileSync(scene.file(), ""),
  truncated: (scene) => writeFileSync(scene.file(), readFileSync(scene.file()).subarray(0, 700)),
  "not JSON": (scene) => writeFileSync(scene.file(), Buffer.from([0xff, 0x00, 0x80])),
  "JSON of another kind": (scene) => writeFileSync(scene.file(), "[null]"),
  "of a later format": (scene) => scene.edit((kept) => ({ ...kept, format: 2 })),
  "of another deployment": (scene) => scene.edit((kept) => ({ ...kept, base: "https://other.example" })),
  "changed in the body": (scene) => scene.edit((kept) => ({ ...kept, text: kept.text.replace("49", "48") })),
  "without a time": (scene) => scene.edit((kept) => ({ ...kept, savedAt: "yesterday" })),
  "writable for others": (scene) => chmodSync(scene.file(), 0o666),
  "a link": (scene) => {
    const file = scene.file();
    renameSync(file, path.join(scene.folder, "elsewhere"));
    symlinkSync(path.join(scene.folder, "elsewhere"), file);
  },
  "a pipe": (scene) => {
    const file = scene.file();
    renameSync(file, path.join(scene.folder, "elsewhere"));
    execFileSync("mkfifo", [file]);
  },
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`an invalid cache file is ignored and replaced: ${name}`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    damage(scene);
    const { code, stdout, stderr } = await scene.product();
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
    assert.deepEqual(scene.asked, [undefined, undefined]);
    assert.equal((await scene.product()).code, 0);
    assert.equal(scene.asked.length, 2, "the replacement is used");
  });
}

test("an invalid stored ETag is not sent", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.edit((kept) => ({ ...kept, etag: '"x"\r\nEvil: yes', savedAt: 0 }));
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(scene.asked, [undefined, undefined]);
});

test("an unwritable cache is not an error", async (t) => {
  const scene = await newScene(t);
  const file = path.join(scene.folder, "file");
  writeFileSync(file, "");
  mkdirSync(path.join(scene.folder, "taken"));
  writeFileSync(path.join(scene.folder, "taken", NAME), "");
  for (const place of [file, "/dev/null", path.join(scene.folder, "taken"), "relative/is/ignored"]) {
    const { code, stdout, stderr } = await run(["product", "--json", "--base-url", scene.url], { XDG_CACHE_HOME: place });
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  }
});

test("twenty concurrent runs do not damage the cache", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(6 * MINUTE);
  const endings = await Promise.all(Array.from({ length: 20 }, () => scene.product()));
  for (const { code, stdout, stderr } of endings) assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  const asked = scene.asked.length;
  assert.equal((await scene.product()).stdout, BODY);
  assert.equal(scene.asked.length, asked, "their cache file is valid");
});
