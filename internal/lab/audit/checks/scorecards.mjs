import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exec } from '../lib/process.mjs';

/** The minimum score of each tool; docs/project/legibility.md lists the accepted findings. */
const floors = { afdocs: 98, observatory: 130 };
/** The only site besides the sample that these tools audit. One is enough for findings that depend on the content. */
const other = 'brewery';
const modules = join(import.meta.dirname, '..', 'node_modules');

/**
 * Runs third-party scorecards for sites' legibility to programs and for security. The tools request the site's public address,
 * and the local server responds. The audit fails on a finding that docs/project/legibility.md doesn't list.
 */
export default async function scorecards(site, found) {
  if (site.source !== site.root && !site.source.endsWith(`/${other}`)) return `scorecards: only for the sample and ${other}`;
  const known = await reasons(site.root);
  const finding = (tool, id, text) => {
    if (!known.has(`${tool} ${id}`)) found.add(`${tool} ${id}`, `${text}; fix it, or name it in docs/project/legibility.md with its reason`);
  };
  const pages = [...new Set(['/', await site.pricing(), await site.documentation(), await site.article()].filter(Boolean))];
  const [afdocs, readability, observatory] = await Promise.all([runAfdocs(site, pages, finding), runReadability(site, finding), runObservatory(site, finding)]);
  for (const [tool, score] of Object.entries({ afdocs, observatory })) {
    if (score < floors[tool]) found.add(tool, `the score is ${score}, want at least ${floors[tool]}`);
  }
  return `afdocs ${afdocs}, agent-readability ${readability}, Observatory ${observatory}; ${pages.length} kinds of pages`;
}

/** Returns the findings that docs/project/legibility.md lists, as "tool finding". */
async function reasons(root) {
  const text = await readFile(join(root, 'docs', 'project', 'legibility.md'), 'utf8');
  const rows = text.split('## Accepted findings')[1].matchAll(/^(\S+) \| `([^`]+)` \| (.+)$/gm);
  return new Set([...rows].map(([, tool, id]) => `${tool} ${id}`));
}

/** Runs a tool that writes JSON, with its requests redirected to the local server. */
async function json(site, args) {
  const local = pathToFileURL(join(import.meta.dirname, '..', 'lib', 'local.mjs')).href;
  const done = await exec(process.execPath, ['--import', local, ...args], { env: { VITRINE_LOCAL: `${site.base} ${site.url}`, NO_COLOR: '1' } });
  try {
    return JSON.parse(done.stdout);
  } catch {
    throw new Error(`${args[0]} did not write JSON:\n${done.stdout}${done.stderr}`);
  }
}

async function runAfdocs(site, pages, finding) {
  const report = await json(site, [
    join(modules, 'afdocs', 'bin', 'afdocs.mjs'), 'check', site.base, '--format', 'json', '--score', '--quiet',
    '--request-delay', '0', '--urls', pages.map((path) => site.base + path).join(','),
  ]);
  for (const { id, status, message } of report.results) {
    if (status !== 'pass' && status !== 'skip') finding('afdocs', id, message);
  }
  return report.scoring.overall;
}

async function runReadability(site, finding) {
  const report = await json(site, [join(modules, '@vercel', 'agent-readability', 'dist', 'cli', 'index.cjs'), 'audit', site.base + '/', '--json']);
  for (const { checks } of Object.values(report.categories)) {
    for (const { name, passed, skipped, detail } of checks) {
      if (!passed && !skipped) finding('agent-readability', name, detail ?? 'failed');
    }
  }
  return report.score;
}

/**
 * Grades the home page as if it were served over TLS, because the tool itself would request a public host. vitrined redirects
 * from HTTP and sends Strict-Transport-Security, and the tests in cmd/vitrined check both.
 */
async function runObservatory(site, finding) {
  const folder = join(modules, '@mdn', 'mdn-http-observatory');
  // On installation, the tool downloads the HSTS preload list of browsers. Our sites aren't on it, so an empty list is enough.
  await writeFile(join(folder, 'conf', 'hsts-preload.json'), '{}');
  const of = (name) => import(pathToFileURL(join(folder, 'src', name)).href);
  const [{ ALL_TESTS }, { Requests }, grader] = [await of('constants.js'), await of('types.js'), await of('grader/grader.js')];
  const answer = await fetch(site.url + '/', { headers: { Accept: 'text/html' } });
  const headers = { ...Object.fromEntries(answer.headers), 'strict-transport-security': 'max-age=31536000' };
  const { hostname } = new URL(site.base);
  const requests = new Requests(hostname);
  const whole = { status: answer.status, headers, verified: true, httpEquiv: new Map(), config: { url: `https://${hostname}/` } };
  Object.assign(requests.responses, {
    auto: whole, https: whole, http: whole,
    httpRedirects: [{ url: new URL(`http://${hostname}/`), status: 308 }, { url: new URL(`https://${hostname}/`), status: 200 }],
  });
  requests.resources.path = await answer.text();
  requests.session = { url: new URL(`https://${hostname}/`), jar: { getCookiesSync: () => [], serializeSync: () => ({ cookies: [] }) } };
  let score = 100;
  for (const test of ALL_TESTS) {
    const output = test(requests);
    const modifier = grader.getScoreModifier(output.result);
    score += modifier;
    if (modifier < 0 || output.pass === false) finding('observatory', output.result, `takes ${-modifier} points`);
  }
  return score;
}
