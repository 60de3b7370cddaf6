/**
 * Runs the tests without a build: stamps the tool, and replaces vitrined with a small server that follows the contract.
 * `npm test` uses a real build and vitrined.
 */

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { startFaithful } from "./helper/faithful.mjs";
import { stamp } from "./helper/stamp.mjs";

const tool = await stamp();
const server = await startFaithful(tool);
const child = spawn(process.execPath, ["--test", ...process.argv.slice(2), "test/*.test.mjs"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  env: { ...process.env, VITRINE_CLI: tool, VITRINE_URL: server.url },
  stdio: "inherit",
});
child.on("close", async (code) => {
  process.exitCode = code ?? 1;
  await server.close();
  rmSync(path.dirname(tool), { recursive: true, force: true });
});
