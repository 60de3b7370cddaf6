/** Stamps the tool as a build does, into a new temporary folder. */

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export const SOURCE = new URL("../../../../../templates/cli/tool.mjs", import.meta.url);

/**
 * @param {string} [language]  the site's
 * @param {{NAMED?: string[], CANNOT?: string[]}} [own]  what else the site says
 * @returns {Promise<string>} the stamped tool's path
 */
export async function stamp(language = "en", own = {}) {
  let text = await readFile(SOURCE, "utf8");
  const stamps = {
    BASE_URL: "https://parley.example", NAME: "parley", VERSION: "1.2.3", PRODUCT: "Parley", LANGUAGE: language,
    WORDS: { unlimitedReps: "People", unlimitedTeams: "Teams", unlimited: "Unlimited", limited: "Limited" }, NAMED: [], CANNOT: [], ...own,
  };
  for (const [name, value] of Object.entries(stamps)) text = text.replace(`"@${name}@"`, () => JSON.stringify(value));
  const file = path.join(await mkdtemp(path.join(tmpdir(), "vitrine-cli-")), "parley.mjs");
  await writeFile(file, text, { mode: 0o755 });
  return file;
}
