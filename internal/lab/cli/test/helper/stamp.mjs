/** Stamps the tool as a build does, into a new temporary folder. */

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** The number formats that the build stamps, by language and currency. */
const FORMS = JSON.parse(await readFile(new URL("../../../../locale/testdata/forms.json", import.meta.url), "utf8"));

export const SOURCE = new URL("../../../../../templates/cli/tool.mjs", import.meta.url);

/**
 * @param {string} [language]  the site's language
 * @param {{NAMED?: string[], CANNOT?: string[]}} [own]  other strings from the site
 * @param {string} [currency]  the site's currency
 * @returns {Promise<string>} the stamped tool's path
 */
export async function stamp(language = "en", own = {}, currency = "EUR") {
  let text = await readFile(SOURCE, "utf8");
  const stamps = {
    BASE_URL: "https://parley.example", NAME: "parley", VERSION: "1.2.3", PRODUCT: "Parley", FORMS: FORMS[`${language} ${currency}`],
    WORDS: { unlimitedReps: "People", unlimitedTeams: "Teams", unlimited: "Unlimited", limited: "Limited" }, NAMED: [], CANNOT: [], ...own,
  };
  for (const [name, value] of Object.entries(stamps)) text = text.replace(`"@${name}@"`, () => JSON.stringify(value));
  const file = path.join(await mkdtemp(path.join(tmpdir(), "vitrine-cli-")), "parley.mjs");
  await writeFile(file, text, { mode: 0o755 });
  return file;
}
