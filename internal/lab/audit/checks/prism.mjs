import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join, sep } from 'node:path';
import { exec, mustExec, start } from '../lib/process.mjs';

const require = createRequire(import.meta.url);

/**
 * Plays the exchanges of the wire contract through Prism's validation proxy, in front of vitrined. A second proxy, with an
 * incorrect description, proves that Prism detects violations.
 */
export default async function prism(site, found) {
  const manifest = require.resolve('@stoplight/prism-cli/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8'));
  const cli = join(dirname(manifest), bin.prism);
  const proxied = join(site.folder, 'bin', 'proxied');
  await mustExec('go', ['build', '-o', join(site.folder, 'bin') + sep, './internal/lab/audit/proxied'], { cwd: site.root });

  const wrong = join(site.folder, 'wrong.json');
  await writeFile(wrong, misdescribed(await site.text('openapi.json')));
  const [behind, behindWrong] = [await freePort(), await freePort()];
  const [right, control] = await Promise.all([
    proxy(cli, join(site.public, 'openapi.json'), behind),
    proxy(cli, wrong, behindWrong),
  ]);
  try {
    const flags = ['-vitrined', site.vitrined, '-dir', site.out];
    const seen = await exec(proxied, [...flags, '-proxy', control.value, '-behind', `127.0.0.1:${behindWrong}`, '-expect-violation']);
    if (seen.code !== 0) found.add('control', seen.stderr);
    const done = await exec(proxied, [...flags, '-proxy', right.value, '-behind', `127.0.0.1:${behind}`]);
    if (done.code !== 0) found.add('prism', done.stderr);
    return `prism proxy --errors: ${done.stdout.trim()}`;
  } finally {
    await Promise.all([right.stop(), control.stop()]);
  }
}

/** Returns the description with a member of the wrong type. */
function misdescribed(text) {
  const document = JSON.parse(text);
  document.components.schemas.ProductInformation.properties.name.type = 'integer';
  return JSON.stringify(document);
}

async function proxy(cli, description, behind) {
  const port = await freePort();
  return start(process.execPath, [cli, 'proxy', '--errors', '--cors=false', '-h', '127.0.0.1', '-p', String(port), description, `http://127.0.0.1:${behind}`],
    (line) => line.includes('Prism is listening') && `http://127.0.0.1:${port}`,
    { env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' } });
}

/** Returns a free port. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
