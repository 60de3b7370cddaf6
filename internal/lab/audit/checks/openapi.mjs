import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exec } from '../lib/process.mjs';
import { count } from '../lib/findings.mjs';

const require = createRequire(import.meta.url);
const config = join(import.meta.dirname, '..', 'schemas', 'redocly.yaml');

/** Checks /openapi.json with Redocly's recommended-strict rules and its rule about problem details. */
export default async function openapi(site, found) {
  const manifest = require.resolve('@redocly/cli/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8'));
  const { code, stdout, stderr } = await exec(process.execPath, [
    join(dirname(manifest), bin.redocly), 'lint', '--config', config, '--format', 'json', join(site.public, 'openapi.json'),
  ], { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } });
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    throw new Error(`redocly exited with ${code}: ${stdout}${stderr}`);
  }
  for (const p of report.problems) {
    found.add(`openapi.json ${p.location?.[0]?.pointer ?? ''}`, `${p.severity} ${p.ruleId}: ${p.message}`);
  }
  if (code !== 0 && found.empty) throw new Error(`redocly exited with ${code}: ${stderr}`);
  const document = JSON.parse(await site.text('openapi.json'));
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item).filter((o) => o.operationId));
  return `redocly recommended-strict and problem details: ${count(operations.length, 'operation')}`;
}
