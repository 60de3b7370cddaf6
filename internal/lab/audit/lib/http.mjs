import { request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/**
 * Sends a request as it is given, follows nothing, and returns status, headers
 * and the body as text, its content coding undone.
 */
export function request(url, { method = 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers: { 'Accept-Encoding': 'gzip', ...headers }, agent: false }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const raw = Buffer.concat(chunks);
        const coding = raw.length > 0 ? incoming.headers['content-encoding'] : undefined;
        const undo = { gzip: gunzipSync, br: brotliDecompressSync }[coding] ?? ((body) => body);
        resolve({ status: incoming.statusCode, headers: fields(incoming), body: undo(raw).toString('utf8') });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The header fields, of which several lines of one name are joined. */
function fields(incoming) {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values) headers.append(name, value);
  return headers;
}
