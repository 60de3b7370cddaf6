import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';

const types = {
  html: 'text/html; charset=utf-8', md: 'text/markdown; charset=utf-8', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml',
  png: 'image/png', xml: 'application/atom+xml; charset=utf-8', json: 'application/feed+json',
};

/**
 * Serves a folder, with page paths that omit .html. Audits use it for damaged builds, because vitrined rejects them.
 */
export async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    for (const name of [path === '/' ? '/index.html' : path, `${path}.html`]) {
      try {
        const body = await readFile(join(folder, name));
        response.writeHead(200, { 'Content-Type': types[name.split('.').at(-1)] ?? 'text/plain' }).end(body);
        return;
      } catch {
        // This file doesn't exist; try the next name.
      }
    }
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${server.address().port}`,
    stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
}
