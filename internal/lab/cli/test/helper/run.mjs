/** Runs the stamped tool at the path in VITRINE_CLI, in its own environment. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const TOOL = fromEnvironment("VITRINE_CLI");
export const NAME = path.basename(TOOL, ".mjs");
export const BASE_URL_VARIABLE = NAME.toUpperCase().replace(/[^A-Z0-9]+/g, "_").replace(/^(?=\d)/, "_") + "_BASE_URL";

/**
 * Returns a required environment variable. If it is missing, the run fails, because a silently skipped test proves nothing.
 *
 * @param {string} name
 */
export function fromEnvironment(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run "make cli", or set it as in the README`);
  return value;
}

/**
 * Creates a temporary folder for one test.
 *
 * @param {import("node:test").TestContext} t
 */
export function newFolder(t) {
  const folder = mkdtempSync(path.join(tmpdir(), "vitrine-cli-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @typedef {object} Ending
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Starts the tool. It passes only PATH from the caller's environment, so that a proxy or a NO_COLOR there doesn't affect a
 * test. Without XDG_CACHE_HOME, the tool doesn't cache.
 *
 * @param {string[]} args
 * @param {{[name: string]: string}} [env]
 * @param {string[]} [nodeFlags]
 * @param {string} [tool]
 */
export function start(args, env = {}, nodeFlags = [], tool = TOOL) {
  return spawn(process.execPath, [...nodeFlags, tool, ...args], {
    env: { PATH: process.env.PATH, HOME: "/dev/null", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child
 * @returns {Promise<Ending>}
 */
export function ended(child) {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/**
 * Returns the Node flags that preload a helper. For example, preload("oldnode") preloads helper/oldnode.mjs.
 *
 * @param {string} name
 */
export function preload(name) {
  return ["--import", new URL(`./${name}.mjs`, import.meta.url).href];
}

/**
 * @param {string[]} args
 * @param {{[name: string]: string}} [env]
 * @param {string[]} [nodeFlags]
 * @param {string} [tool]
 */
export function run(args, env, nodeFlags, tool) {
  return ended(start(args, env, nodeFlags, tool));
}
