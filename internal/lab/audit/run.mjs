// Runs the audits of sites: builds each site, serves it with vitrined, runs every audit of the given groups, and
// prints one line for each audit.
//
//   node run.mjs --root FOLDER [--site FOLDER]… [--keep] [--only NAME]… GROUP…
//
// --root is the project. --site is the folder of a site in the project, or a txtar archive that contains a site; it
// defaults to the sample. Groups: fast, other (audits for any site), lighthouse, screenshots, pictures. --only runs
// only the named audits. --keep keeps the temporary folder with the build. Exit codes: 0 if no audit found a problem, 1
// if an audit found one or couldn't run, and 2 for wrong usage.
import { parseArgs } from 'node:util';
import { withSite } from './lib/site.mjs';
import { Findings } from './lib/findings.mjs';

const groups = {
  fast: ['html', 'twins', 'sitemap', 'feeds', 'metadata', 'jsonld', 'openapi', 'examples', 'prism', 'search', 'chrome', 'control', 'layout', 'shift', 'scores', 'scorecards', 'pages'],
  other: ['html', 'twins', 'sitemap', 'metadata', 'jsonld', 'whole', 'layout', 'languages', 'scorecards', 'zoom', 'pages'],
  lighthouse: ['lighthouse'],
  screenshots: ['screenshots'],
  pictures: ['pictures'],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string' },
    site: { type: 'string', multiple: true, default: ['.'] },
    only: { type: 'string', multiple: true },
    keep: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !groups[name]);
if (!values.root || positionals.length === 0 || unknown.length > 0) {
  console.error('usage: node run.mjs --root FOLDER [--site FOLDER]… [--keep] [--only NAME]… GROUP…');
  console.error(`groups: ${Object.keys(groups).join(', ')}${unknown.length ? `; there is no ${unknown.join(', ')}` : ''}`);
  process.exit(2);
}
const names = positionals.flatMap((group) => groups[group]).filter((name) => !values.only || values.only.includes(name));

/** Runs one audit, and prints its line and its findings. Returns true if the audit found no problem. */
async function run(name, site) {
  const began = performance.now();
  const found = new Findings();
  let summary = '';
  try {
    const { default: audit } = await import(`./checks/${name}.mjs`);
    summary = await audit(site, found);
  } catch (error) {
    found.add(name, error.stack ?? String(error));
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${found.empty ? 'ok  ' : 'FAIL'}  ${name.padEnd(11)} ${found.empty ? summary : found.heading(summary)}  (${seconds} s)`);
  for (const line of found.lines()) console.log(`      ${line}`);
  return found.empty;
}

try {
  let clean = true;
  for (const source of values.site) {
    if (values.site.length > 1) console.log(source);
    await withSite({ ...values, source }, async (site) => {
      for (const name of names) clean = (await run(name, site)) && clean;
    });
  }
  process.exitCode = clean ? 0 : 1;
} catch (error) {
  console.error(`the audits cannot begin: ${error.message}`);
  process.exitCode = 1;
}
