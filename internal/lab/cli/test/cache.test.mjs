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
 * A server whose answers can be changed, and a cache folder.
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
        response.setHeader("Cache-Control", "no-store"); // as the contract has it for 429
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
  assert.equal(names.length, 1, `one file and no draft: ${names}`);
  return names[0];
}

test("within five minutes the stored answer is used and nobody is asked", async (t) => {
  const scene = await newScene(t);
  assert.equal((await scene.product()).stdout, BODY);
  scene.age(4.9 * MINUTE);
  const { code, stdout, stderr } = await scene.product();
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  assert.equal(scene.asked.length, 1);
});

test("one stored answer serves every command", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  for (const command of ["product", "pricing", "signup"]) {
    assert.equal((await run([command, "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder })).code, 0);
  }
  assert.equal(scene.asked.length, 1);
});

test("after five minutes it is revalidated, and a 304 makes it fresh again", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(5 * MINUTE);
  assert.equal((await scene.product()).stdout, BODY);
  assert.equal((await scene.product()).stdout, BODY);
  assert.deepEqual(scene.asked, [undefined, scene.etag]);
});

test("after a change the new answer replaces the stored one", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(6 * MINUTE);
  [scene.body, scene.etag] = [NEWER, '"new"'];
  assert.equal((await scene.product()).stdout, NEWER + "\n");
  assert.equal((await scene.product()).stdout, NEWER + "\n");
  assert.equal(scene.asked.length, 2);
});

test("without an ETag it is fetched anew", async (t) => {
  const scene = await newScene(t);
  scene.etag = "";
  await scene.product();
  scene.age(6 * MINUTE);
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(scene.asked, [undefined, undefined]);
});

test("an answer from a time to come is asked after: the clock was put back", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(-60 * MINUTE);
  await scene.product();
  assert.deepEqual(scene.asked, [undefined, scene.etag]);
});

test("--no-cache neither uses nor keeps", async (t) => {
  const scene = await newScene(t);
  await scene.product("--no-cache");
  assert.deepEqual(readdirSync(scene.folder), []);
  await scene.product();
  await scene.product("--no-cache");
  assert.deepEqual(scene.asked, [undefined, undefined, undefined]);
});

test("what the server says not to store is not stored", async (t) => {
  const scene = await newScene(t);
  scene.cacheControl = "no-store";
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(readdirSync(scene.folder), []);
});

test("only 200s are kept, and an error leaves the stored answer alone", async (t) => {
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

test("deployments are kept apart", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  const other = await serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(NEWER));
  const { stdout } = await run(["product", "--json", "--base-url", other], { XDG_CACHE_HOME: scene.folder });
  assert.equal(stdout, NEWER + "\n");
});

for (const [age, words] of /** @type {[number, string][]} */ ([[6, "6 minutes"], [60 * 5, "5 hours"], [60 * 24 * 9, "9 days"]])) {
  test(`with the network down an answer of ${words} ago is used, with a warning`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(age * MINUTE + 500);
    await scene.close();
    const { code, stdout, stderr } = await run(["product", "--base-url", scene.url], { XDG_CACHE_HOME: scene.folder });
    assert.equal(code, 0);
    assert.ok(stdout.startsWith("Parley\n"));
    assert.match(stderr, new RegExp(`^${NAME}: warning: cannot read .*refused; this is the answer of ${words} ago\n$`));
    const json = await scene.product();
    assert.deepEqual([json.code, json.stdout], [0, BODY]);
    assert.ok(JSON.parse(json.stderr).notice.includes(words));
    assert.equal((await scene.product("--no-cache")).code, 3);
  });
}

for (const status of [429, 500, 502, 503, 504]) {
  test(`on a ${status} the stored answer is used, with a warning and its age`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(7 * MINUTE + 500);
    scene.status = status;
    const page = await scene.page();
    assert.equal(page.code, 0);
    assert.ok(page.stdout.startsWith("Parley\n"));
    assert.match(page.stderr, new RegExp(`^${NAME}: warning: http\\S+ answered ${status}: .*; this is the answer of 7 minutes ago\n$`));
    const { code, stdout, stderr } = await scene.product();
    assert.deepEqual([code, stdout], [0, BODY]);
    assert.match(JSON.parse(stderr).notice, /answered \d+: .*7 minutes ago$/);
    assert.equal((await scene.product("--no-cache")).code, status === 429 ? 5 : 4);
    assert.equal(scene.asked.length, 4, "nothing said to wait");
    scene.status = 200;
    assert.equal((await scene.product()).stderr, "");
  });
}

test("an error that will not pass is told, whatever is stored", async (t) => {
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
  test(`Retry-After of a ${status} is remembered between runs, with nothing stored`, async (t) => {
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
    assert.match(page.stderr, /it was not asked again, as the time that its Retry-After named has not come\n {2}.*try again in (10|9) minutes, after \d\d:/);
    assert.equal(scene.asked.length, 1);

    scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, at: Date.now() - 2000, until: Date.now() - 1000 } }));
    scene.status = 200;
    assert.deepEqual(await scene.product(), { code: 0, signal: null, stdout: BODY, stderr: "" });
    assert.equal(scene.asked.length, 2, "it is asked again once the time has come");
    assert.equal(JSON.parse(readFileSync(scene.file(), "utf8")).refusal, undefined);
  });

  test(`Retry-After of a ${status} is remembered beside the stored answer, which is used`, async (t) => {
    const scene = await newScene(t);
    await scene.product();
    scene.age(7 * MINUTE + 500);
    [scene.status, scene.retryAfter] = [status, "600"];
    for (let count = 0; count < 3; count++) {
      const { code, stdout, stderr } = await scene.product();
      assert.deepEqual([code, stdout], [0, BODY]);
      assert.match(JSON.parse(stderr).notice, new RegExp(`answered ${status}: .*; this is the answer of 7 minutes ago$`));
    }
    assert.deepEqual(scene.asked, [undefined, scene.etag]);
    scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, until: Date.now() } }));
    scene.status = 200;
    assert.equal((await scene.product()).stderr, "");
    assert.deepEqual(scene.asked, [undefined, scene.etag, scene.etag], "the ETag was kept with it");
  });
}

test("what remains of a remembered Retry-After does not grow with each run", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "2"];
  const end = Date.now() + 60_000;
  while (scene.asked.length < 2 && Date.now() < end) await scene.product();
  assert.equal(scene.asked.length, 2);
});

test("a Retry-After beyond any sense is remembered as one", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "9".repeat(30)];
  await scene.product();
  const { code, stderr } = await scene.product("--wait");
  assert.equal(code, 5);
  assert.ok(JSON.parse(stderr).retryAfter > 9e8);
  assert.equal(scene.asked.length, 1);
});

test("--wait waits for what remains of a remembered Retry-After, then asks once", async (t) => {
  const scene = await newScene(t);
  [scene.status, scene.retryAfter] = [429, "600"];
  await scene.product();
  // Long enough for the tool to start before it on a slow machine, which 2 seconds were not.
  scene.edit((kept) => ({ ...kept, refusal: { ...kept.refusal, until: Date.now() + 10_000 } }));
  scene.status = 200;
  const { code, stdout, stderr } = await scene.product("--wait");
  assert.deepEqual([code, stdout], [0, BODY]);
  assert.match(JSON.parse(stderr).notice, /asking again in ([1-9]|10) seconds?$/);
  assert.equal(scene.asked.length, 2);
});

test("a wait that was interrupted is remembered too", async (t) => {
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
  "from a time to come": (kept) => ({ ...kept, refusal: { ...kept.refusal, at: Date.now() + MINUTE, until: Date.now() + 2 * MINUTE } }),
  "without a time": (kept) => ({ ...kept, refusal: { status: 429, at: 0, until: "later" } }),
  "of another status": (kept) => ({ ...kept, refusal: { ...kept.refusal, status: 200 } }),
  "not an object": (kept) => ({ ...kept, refusal: [429] }),
};

for (const [name, change] of Object.entries(FORGOTTEN)) {
  test(`a remembered Retry-After that is ${name} is forgotten`, async (t) => {
    const scene = await newScene(t);
    [scene.status, scene.retryAfter] = [429, "600"];
    await scene.product();
    scene.edit(change);
    scene.status = 200;
    assert.equal((await scene.product()).code, 0);
  });
}

test("Retry-After is neither remembered nor looked at with --no-cache, and is each deployment's own", async (t) => {
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

test("the file and its folder are the user's alone", async (t) => {
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
  test(`a cache file that is ${name} is ignored and replaced`, async (t) => {
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

test("a stored ETag that is none is not sent", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.edit((kept) => ({ ...kept, etag: '"x"\r\nEvil: yes', savedAt: 0 }));
  assert.equal((await scene.product()).code, 0);
  assert.deepEqual(scene.asked, [undefined, undefined]);
});

test("a cache that cannot be written is no error", async (t) => {
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

test("twenty runs at once do not harm each other", async (t) => {
  const scene = await newScene(t);
  await scene.product();
  scene.age(6 * MINUTE);
  const endings = await Promise.all(Array.from({ length: 20 }, () => scene.product()));
  for (const { code, stdout, stderr } of endings) assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: BODY, stderr: "" });
  const asked = scene.asked.length;
  assert.equal((await scene.product()).stdout, BODY);
  assert.equal(scene.asked.length, asked, "the file they left is good");
});
