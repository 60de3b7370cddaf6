/** The tool as a process: pipes, signals, a full disk, an old Node, and its execute bit. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { parse } from "acorn";

import { BODY, bodyWith } from "./helper/facts.mjs";
import { serve } from "./helper/listen.mjs";
import { NAME, TOOL, ended, newFolder, preload, run, start } from "./helper/run.mjs";
import { SOURCE } from "./helper/stamp.mjs";

const LARGE = bodyWith({ audience: Array.from({ length: 7000 }, (_, index) => `team ${index}`) });

/**
 * Runs a line of shell. The line can use $node and $tool.
 *
 * @param {string} line
 * @param {{[name: string]: string}} env
 */
function shell(line, env) {
  return ended(
    spawn("sh", ["-c", line], {
      env: { PATH: process.env.PATH, HOME: "/dev/null", node: process.execPath, tool: TOOL, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

/**
 * @param {import("node:test").TestContext} t
 * @param {string} body
 */
function serveBody(t, body) {
  return serve(t, (_, response) => response.setHeader("Content-Type", "application/json").end(body));
}

test("a large document passes through a pipe completely", async (t) => {
  const url = await serveBody(t, LARGE);
  const { stdout } = await shell('"$node" "$tool" product --json --base-url "$url" | cat', { url });
  assert.ok(LARGE.length > 70 * 1024);
  assert.equal(stdout, LARGE + "\n");
});

test("a closed pipe ends the tool without a message", async (t) => {
  const url = await serveBody(t, LARGE);
  const { stdout, stderr } = await shell('{ "$node" "$tool" product --base-url "$url"; echo "exit $?" >&2; } | head -1', { url });
  assert.equal(stdout, "Parley\n");
  assert.equal(stderr, "exit 0\n");
});

test("a closed stdout or stderr does not crash the tool", async (t) => {
  const url = await serveBody(t, BODY);
  assert.deepEqual(await shell('"$node" "$tool" product --base-url "$url" >&-', { url }), { code: 0, signal: null, stdout: "", stderr: "" });
  assert.equal((await shell('"$node" "$tool" prodct 2>&-', { url })).code, 2);
});

test("a full disk: exit 1, with a message", async (t) => {
  const url = await serveBody(t, BODY);
  const { code, stderr } = await shell('"$node" "$tool" product --base-url "$url" >/dev/full', { url });
  assert.equal(code, 1);
  assert.match(stderr, /^[\w-]+: error: cannot write: ENOSPC/);
  const told = await shell('"$node" "$tool" product --json --base-url "$url" >/dev/full', { url });
  assert.deepEqual([told.code, JSON.parse(told.stderr).exitCode], [1, 1]);
});

test("a bug in the tool: exit 1, with a message and no output", async (t) => {
  const url = await serveBody(t, BODY);
  const { code, stdout, stderr } = await run(["product", "--base-url", url], {}, preload("fault"));
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^[\w-]+: error: the tool has a bug: TypeError: .*Segmenter.*\n {2}download the newest file from .*\n$/);
  const told = await run(["product", "--base-url", url + "/\u00e4", "--json", "--no-such-\u00e4"], {}, preload("fault"));
  assert.equal(told.stdout, "");
  JSON.parse(told.stderr);
});

/**
 * Interrupts the tool at a given moment.
 *
 * @param {string} url
 * @param {(child: ReturnType<typeof start>) => Promise<unknown>} moment
 */
async function interrupted(url, moment) {
  const child = start(["product", "--wait", "--base-url", url]);
  const ending = ended(child);
  await moment(child);
  child.kill("SIGINT");
  return ending;
}

const QUIET_130 = { code: 130, signal: null, stdout: "", stderr: "" };

test("Ctrl-C while the server is silent: exit 130, without a message", async (t) => {
  const asked = Promise.withResolvers();
  const url = await serve(t, asked.resolve);
  assert.deepEqual(await interrupted(url, () => asked.promise), QUIET_130);
});

test("Ctrl-C in the middle of a body: exit 130, without a message", async (t) => {
  const sent = Promise.withResolvers();
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write(BODY.slice(0, 50), sent.resolve);
  });
  assert.deepEqual(await interrupted(url, () => sent.promise), QUIET_130);
});

test("Ctrl-C in the middle of a problem: exit 130, without a message", async (t) => {
  const sent = Promise.withResolvers();
  const url = await serve(t, (_, response) => {
    response.writeHead(500, { "Content-Type": "application/problem+json" });
    response.write("{", sent.resolve);
  });
  assert.deepEqual(await interrupted(url, () => sent.promise), QUIET_130);
});

test("Ctrl-C while it waits to try again: exit 130", async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(429, { "Retry-After": "600" }).end());
  const { code, stdout, stderr } = await interrupted(url, (child) => once(child.stderr, "data"));
  assert.deepEqual({ code, stdout }, { code: 130, stdout: "" });
  assert.match(stderr, /trying again in 10 minutes\n$/);
});

test("with its execute bit, the file runs on its own", async (t) => {
  const copy = path.join(newFolder(t), `${NAME}.mjs`);
  copyFileSync(TOOL, copy);
  chmodSync(copy, 0o755);
  const { code, stdout } = await shell('PATH="$bin:$PATH" "$copy" --version', { copy, bin: path.dirname(process.execPath) });
  assert.equal(code, 0);
  assert.ok(stdout.startsWith(NAME));
});

test("Node 20: one line with the required version, and exit 1", async () => {
  const { code, stdout, stderr } = await run(["product"], {}, preload("oldnode"));
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.equal(stderr, `${NAME} needs Node.js 22 or later; this is 20.20.2 (https://nodejs.org/)\n`);
});

/** @param {{code: number | null, stdout: string, stderr: string}} ending */
function assertOldNodeProblem({ code, stdout, stderr }) {
  assert.deepEqual([code, stdout], [1, ""]);
  const problem = JSON.parse(stderr);
  assert.match(problem.type, /\/cli#exit-1$/);
  assert.match(problem.detail, /^\S+ needs Node\.js 22 or later; this is \d+\.[\d.]+$/);
  assert.ok(problem.title && problem.resolution.includes("https://nodejs.org/"));
  assert.equal(problem.exitCode, 1);
}

test("Node 20 with --json: JSON on stderr", async () => {
  for (const args of [["product", "--json"], ["--json"], ["--json", "nonsense"]]) assertOldNodeProblem(await run(args, {}, preload("oldnode")));
  const word = await run(["--", "--json"], {}, preload("oldnode"));
  assert.match(word.stderr, /^\S+ needs/);
});

test("an older Node can parse the file: nothing in it is newer than ES2019", () => {
  for (const file of [SOURCE, TOOL]) {
    const text = readFileSync(file, "utf8");
    parse(text, { ecmaVersion: 2019, sourceType: "module", allowHashBang: true });
    assert.doesNotMatch(text, /from "node:/, "Node 12.17 to 14.12 do not know node: in imports");
  }
});

// Real old versions of Node, if the caller has any: VITRINE_OLD_NODES=/path/to/node14:/path/to/node18
for (const node of (process.env.VITRINE_OLD_NODES ?? "").split(path.delimiter).filter(Boolean)) {
  test(`${node} prints the required version`, async () => {
    const { code, stdout, stderr } = await shell('"$node" "$tool" product', { node });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^\S+ needs Node\.js 22 or later; this is [\d.]+ \(https:\/\/nodejs\.org\/\)\n$/);
    assertOldNodeProblem(await shell('"$node" "$tool" product --json', { node }));
  });
}

test("the source contains each stamp once, and never calls exit", () => {
  const text = readFileSync(SOURCE, "utf8");
  for (const stamp of ["BASE_URL", "NAME", "VERSION", "PRODUCT", "FORMS"]) {
    assert.equal(text.split(`@${stamp}@`).length, 2, `@${stamp}@ stands once`);
    assert.ok(text.includes(`"@${stamp}@"`));
  }
  assert.doesNotMatch(text, /process\.exit\(/);
  assert.doesNotMatch(readFileSync(TOOL, "utf8"), /"@[A-Z_]+@"/);
});
