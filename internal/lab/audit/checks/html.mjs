import { join } from 'node:path';
import { exec } from '../lib/process.mjs';
import { count } from '../lib/findings.mjs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Matches messages about CSS that browsers support but the checker doesn't know yet. */
const newer = /^CSS: (“(container-type|position-area|position-try-fallbacks)”: Property .* doesn't exist|Unrecognized at-rule “@container”)/;

/** Reports whether a message is about CSS that is newer than the checker. cqi is a unit for container queries. */
const isNewer = ({ message, extract = '' }) => newer.test(message) || (message.endsWith('Unknown dimension.') && /:[\d.]+cqi/.test(extract));

/** Runs the W3C's checker on every HTML page, stylesheet, and SVG file. Warnings are errors. */
export default async function html(site, found) {
  const kinds = { page: '.html', stylesheet: '.css', 'SVG image': '.svg' };
  const files = {};
  for (const [noun, ending] of Object.entries(kinds)) files[noun] = await site.files(ending);
  const all = Object.values(files).flat();
  const { code, stdout, stderr } = await exec('java', [
    '-jar', require('vnu-jar'), '--Werror', '--also-check-css', '--also-check-svg', '--format', 'json', '--stdout',
    ...all.map((file) => join(site.public, file)),
  ]);
  const { messages } = JSON.parse(stdout || '{"messages":[]}');
  for (const m of messages.filter((m) => !isNewer(m))) {
    const file = decodeURIComponent((m.url ?? '').split('/public/').at(-1));
    found.add(`${file}:${m.lastLine ?? 0}:${m.lastColumn ?? 0}`, `${m.subType ?? m.type}: ${m.message}${m.extract ? `\n${m.extract.trim()}` : ''}`);
  }
  if (code !== 0 && messages.length === 0) throw new Error(`vnu exited with ${code}: ${stderr}`);
  return `vnu --Werror: ${Object.entries(files).map(([noun, list]) => count(list.length, noun)).join(', ')}`;
}
