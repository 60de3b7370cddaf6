// A preview's content can't be published by mistake or read by others.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { flags, withBrowser } from '../lib/browser.mjs';
import { fakeEditor, page, shows, withPage, withPreview } from './preview.mjs';

const draft = { 'content/blog/draft.md': page('Draft', 'CANARY.', 'date: 2026-01-01\ndraft: true\n') };

/** All files in a folder with their contents. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = {};
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = await readFile(path, 'latin1');
  }
  return files;
}

/** Sends a request verbatim, and returns the status, header fields, and body. */
function ask(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async (incoming) => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
      resolve({ status: incoming.statusCode, headers: incoming.headers, body: text });
    });
    outgoing.on('error', reject).end(body);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  test(`the site's folder is unchanged, and only a private folder is left after ${signal}`, () => withPage('/blog/draft', async ({ tab, site, temp, stop, output }) => {
    const before = await contents(site.folder);
    await shows(tab, 'CANARY.');
    const [folder] = await readdir(temp);
    assert.equal((await stat(join(temp, folder))).mode & 0o777, 0o700, 'other users can read the build');
    assert.equal(await stop(signal), 0, output);
    assert.deepEqual(await readdir(temp), [folder], 'more is left than the folder for the next preview');
    assert.equal((await stat(join(temp, folder))).mode & 0o777, 0o700, 'other users can read the build after the end');
    const after = await contents(site.folder);
    assert.deepEqual(after, before);
    assert.deepEqual(Object.keys(after).filter((name) => name.startsWith('build')), ['build/public/kept.html']);
  }, { preview: { files: { ...draft, 'build/public/kept.html': 'an earlier build' } }, expected: [] }));
}

test('every response forbids indexing and storing', () => withPreview(async ({ url }) => {
  for (const path of ['/', '/blog/draft', '/blog/draft.md', '/feed.xml', '/robots.txt', '/api/v1/marketing', '/nothing', '/.vitrine/main.mjs', '/.vitrine/nothing']) {
    const { headers } = await ask(url + path);
    assert.equal(headers['x-robots-tag'], 'noindex', path);
    assert.equal(headers['cache-control'], 'no-store', path);
    assert.equal(headers['cdn-cache-control'], undefined, path);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
  }
  const whole = await ask(`${url}/week`);
  assert.equal(whole.headers.etag, undefined, 'a page with a toolbar has the ETag of the page without it');
  const head = await ask(`${url}/week`, { method: 'HEAD' });
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(whole.body)));
}, { files: draft }));

test('a request with a foreign Host or Origin is rejected', () => withPreview(async ({ url }) => {
  const port = new URL(url).port;
  const status = async (path, headers, method) => (await ask(url + path, { method, headers })).status;
  for (const path of ['/blog/draft', '/.vitrine/events', '/.vitrine/main.mjs', '/.vitrine/open', '/api/v1/marketing']) {
    for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'evillocalhost']) {
      assert.equal(await status(path, { host }), 403, `${path} for ${host}`);
    }
    assert.equal(await status(path, { origin: 'https://evil.example' }), 403, `${path} from another origin`);
    assert.equal(await status(path, { origin: 'null' }), 403, `${path} from a sandbox`);
    assert.equal(await status(path, { origin: 'http://127.0.0.1:1' }), 403, `${path} from another port`);
    assert.equal(await status(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }), 403, `${path} as an image elsewhere`);
    assert.equal(await status(path, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }), 403, `${path} in a frame elsewhere`);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `site.localhost:${port}`]) {
    assert.equal(await status('/blog/draft', { host }), 200, host);
  }
  assert.equal(await status('/blog/draft', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }), 200, 'another site may link here');
}, { files: draft }));

test('only pages of the preview can open files, and only source files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-editor-'));
  const editor = await fakeEditor(folder);
  try {
    await withPreview(async ({ url, site }) => {
      const { body } = await ask(`${url}/week`);
      const { token } = JSON.parse(/id="vitrine-preview">(.*)<\/script>/.exec(body)[1]);
      const open = async (path, headers = { 'X-Vitrine-Token': token }, method = 'POST') =>
        (await ask(`${url}/.vitrine/open`, { method, headers, body: method === 'POST' ? JSON.stringify({ path, line: 1, column: 1 }) : undefined })).status;
      assert.equal(await open('content/week.md', {}), 403);
      assert.equal(await open('content/week.md', { 'X-Vitrine-Token': 'guessed' }), 403);
      assert.equal(await open('content/week.md', { 'X-Vitrine-Token': token }, 'GET'), 405);
      await mkdir(site.path('content/folder'));
      await site.write('secret.txt', 'not a source');
      for (const path of ['/etc/passwd', '../secret', 'content/../secret.txt', 'secret.txt', 'content/nothing.md', 'content/folder', 'content', '', '--help']) {
        assert.equal(await open(path), 400, path);
      }
      assert.equal(await open('content/week.md'), 204);
    }, { env: { VISUAL: 'vi', EDITOR: editor.program } });
  } finally {
    await rm(folder, { recursive: true });
  }
});

// In a real browser, other pages have a foreign host name that resolves to this machine, or are on another server here.
test('no other page in the same browser can read a draft', () => withPreview(async ({ url }) => {
  const other = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Other</title>'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  try {
    await withBrowser(async (context) => {
      const tab = await context.newPage();
      await tab.goto(`http://rebound.example:${new URL(url).port}/blog/draft`);
      assert.equal(await tab.getByText('CANARY').count(), 0);
      await shows(tab, 'the preview does not serve the host');

      await tab.goto(`http://127.0.0.1:${other.address().port}/`);
      for (const mode of ['cors', 'no-cors']) {
        for (const path of ['/blog/draft', '/api/v1/marketing']) {
          const read = await tab.evaluate(([address, mode]) => fetch(address, { mode }).then((answer) => answer.text(), () => ''), [url + path, mode]);
          assert.equal(read, '', `${path} is read, ${mode}`);
        }
      }
      const streamed = await tab.evaluate((address) => new Promise((resolve) => {
        const stream = new EventSource(address);
        stream.addEventListener('hello', () => resolve('read'));
        stream.addEventListener('error', () => resolve('refused'));
      }), `${url}/.vitrine/events`);
      assert.equal(streamed, 'refused');
      await tab.goto(`${url}/blog/draft`);
      await shows(tab, 'CANARY');
    }, { args: [...flags, '--host-resolver-rules=MAP rebound.example 127.0.0.1'] });
  } finally {
    other.close();
  }
}, { files: draft }));
