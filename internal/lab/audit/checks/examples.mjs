import assert from 'node:assert/strict';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { count } from '../lib/findings.mjs';
import { raw, request } from '../lib/http.mjs';

// Fields of HTTP itself, which a description may omit.
const ofHTTP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-type']);
// Fields whose values change between responses. Their examples are checked against their schemas, and the examples of
// the counters also against the first response.
const changing = new Set(['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'etag', 'content-length', 'content-encoding']);

// Fields that the sample site doesn't send, because its API isn't retired, and these audits don't use HTTPS.
const notHere = ['Deprecation', 'Sunset', 'Strict-Transport-Security'];

/**
 * Checks that every example in /openapi.json is a real response. It requests each response that an operation describes, and
 * compares the body and the fields with the description. The description must include every received field, and every
 * required field must be received.
 */
export default async function examples(site, found) {
  const document = JSON.parse(await site.text('openapi.json'));
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema(document, 'openapi');
  const held = { bodies: 0, fields: new Set(), answers: 0 };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'head', 'options'].filter((name) => item[name])) {
      for (const [status, reference] of Object.entries(item[method].responses)) {
        const place = `${method.toUpperCase()} ${path} → ${status}`;
        const response = resolve(document, reference);
        for (const answer of await produce(site, path, method.toUpperCase(), Number(status), document)) {
          held.answers++;
          if (answer.status !== Number(status)) {
            found.add(place, `the server responds with ${answer.status}`);
            continue;
          }
          // A 405 is the response to another method, so it has a body.
          holdBody(place, status === '405' ? 'delete' : method, answer, response, held, found);
          holdFields(place, answer, response, document, ajv, held, found);
        }
      }
    }
  }
  await parametersAreReal(site, document, found);
  for (const name of Object.keys(document.components.headers)) {
    const header = document.components.headers[name];
    if (!held.fields.has(name) && !notHere.includes(name)) found.add(`header ${name}`, 'no response has it');
    if (!ajv.validate({ $ref: `openapi#/components/headers/${name}/schema` }, header.example)) {
      found.add(`header ${name}`, `its example ${header.example} does not fit its schema: ${ajv.errorsText()}`);
    }
  }
  return `examples: ${count(held.answers, 'answer')}, ${count(held.bodies, 'body', 'bodies')} and ${count(held.fields.size, 'header field')} are real`;
}

function resolve(document, value) {
  return value.$ref ? value.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : value;
}

/** Returns the responses of a fresh server that must have the given status: one for each tested cause of the status. */
async function produce(site, path, method, status, document) {
  const server = status === 500 ? await damaged(site) : await site.serve();
  const ask = (how = {}, target = path) => request(server.url + target, { method, ...how });
  const write = (line, version = 'HTTP/1.1') => raw(server.url, `${method} ${path} ${version}\r\nHost: ${new URL(server.url).host}\r\n${line}\r\n\r\n`);
  try {
    switch (status) {
      case 304: return [await ask({ headers: { 'If-None-Match': await tag(server, path) } })];
      case 400: return [await ask({}, `${path}?plan=team`), await write('Host: elsewhere')];
      case 405: return [await ask({ method: 'DELETE' })];
      case 412: return [await ask({ headers: { 'If-Match': '"0000000000000000"' } })];
      case 417: return [await write('Expect: something')];
      case 431: return [await write(`X-Long: ${'x'.repeat(40_000)}`)];
      case 501: return [await write('Transfer-Encoding: gzip, chunked')];
      case 505: return [await write('X: y', 'HTTP/3.0')];
      case 429: return [await exhaust(ask, document)];
      case 204: return [await ask({ headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'if-none-match' } })];
      default: return [await ask()];
    }
  } finally {
    await server.stop();
  }
}

/** Sends requests until the allowance is exhausted, and returns the last response. */
async function exhaust(ask, document) {
  const limit = document.components.headers['X-RateLimit-Limit'].example;
  let answer;
  for (let i = 0; i <= limit; i++) answer = await ask();
  return answer;
}

async function tag(server, path) {
  const answer = await request(server.url + path, { method: 'GET' });
  return answer.headers.get('etag');
}

/**
 * Serves a copy of the build, and damages its compressed bodies after the server has started. The server detects the damage
 * at the first request for a body.
 */
async function damaged(site) {
  const dir = await site.copy('damaged');
  const server = await site.serveFolder(dir);
  for (const name of await readdir(join(dir, 'coded'))) {
    const file = await open(join(dir, 'coded', name), 'r+');
    await file.write(Buffer.alloc((await file.stat()).size));
    await file.close();
  }
  return server;
}

/** Checks that the body of a response equals the example, member by member. */
function holdBody(place, method, answer, response, held, found) {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  if (method === 'head' || !type) {
    if (answer.body.length > 0) found.add(place, 'has a body');
    return;
  }
  if (answer.headers.get('content-type') !== type) found.add(place, `is ${answer.headers.get('content-type')}, described as ${type}`);
  try {
    const body = JSON.parse(answer.body);
    const examples = media.examples ? Object.values(media.examples).map((example) => example.value) : [media.example];
    assert.deepStrictEqual(body, examples.find((example) => example.type === body.type) ?? examples[0]);
    held.bodies++;
  } catch (error) {
    found.add(place, `the example is not the real body: ${error.message}`);
  }
}

/** Checks that a response's fields match the description, and that constant fields equal their examples. */
function holdFields(place, answer, response, document, ajv, held, found) {
  const described = new Map(Object.entries(response.headers ?? {}).map(([name, reference]) => [name.toLowerCase(), reference]));
  for (const name of answer.headers.keys()) {
    if (!described.has(name) && !ofHTTP.has(name)) found.add(place, `the field ${name} is not described`);
  }
  for (const [name, reference] of described) {
    const component = reference.$ref?.split('/').at(-1) ?? name;
    const header = resolve(document, reference);
    const value = answer.headers.get(name);
    if (value === null) {
      if (header.required) found.add(place, `the field ${name} is required but missing`);
      continue;
    }
    held.fields.add(component);
    const typed = header.schema.type === 'integer' ? Number(value) : value;
    if (!ajv.validate({ $ref: `openapi#/components/headers/${component}/schema` }, typed)) {
      found.add(place, `${name}: ${value} does not fit its schema: ${ajv.errorsText()}`);
    }
    if (!changing.has(name) && typed !== header.example) found.add(place, `${name} is ${value}, its example ${header.example}`);
  }
}

/** Checks that the examples of changing fields are the values in the first uncompressed response of a fresh server. */
async function parametersAreReal(site, document, found) {
  const server = await site.serve();
  const path = Object.keys(document.paths)[0];
  const first = await request(server.url + path, { method: 'GET', headers: { 'Accept-Encoding': 'identity' } });
  for (const name of ['ETag', 'RateLimit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Content-Length']) {
    const example = String(document.components.headers[name].example);
    if (first.headers.get(name) !== example) found.add(`header ${name}`, `its example is ${example}; the first response has ${first.headers.get(name)}`);
  }
  const expected = { 'If-None-Match': 304, 'If-Match': 200 };
  for (const [name, parameter] of Object.entries(document.components.parameters)) {
    const answer = await request(server.url + path, { method: 'GET', headers: { 'Accept-Encoding': 'identity', [name]: parameter.example } });
    if (answer.status !== expected[name]) found.add(`parameter ${name}`, `its example gets ${answer.status}, not ${expected[name]}`);
  }
  await server.stop();
}
