import { request as send } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/**
 * Sends a request without following redirects, and returns the status, the headers, and the decompressed body as text.
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

/** Returns the header fields, with repeated fields joined. */
function fields(incoming) {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values) headers.append(name, value);
  return headers;
}

/**
 * Sends a header section verbatim, even an invalid one, and waits until the server closes the connection. It returns
 * the response in the same format as request.
 */
export function raw(url, head) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = connect(Number(port), hostname, () => socket.write(head, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => {
      const [lines, ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      const [start, ...fieldLines] = lines.split('\r\n');
      const headers = new Headers(fieldLines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
      resolve({ status: Number(start.split(' ')[1]), headers, body: rest.join('\r\n\r\n') });
    });
  });
}
