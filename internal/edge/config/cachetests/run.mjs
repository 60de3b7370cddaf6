// Runs the suite http-cache-tests against one cache, whose origin is the suite's own server.
//
//   node run.mjs BUILD LIFETIME <<< URL-OF-THE-CACHE
//
// It prints the origin's address, reads the cache's URL from standard input, and prints the results of all tests as one
// line of JSON. Caches configured for vitrined store only responses with the fields that vitrined sends for pages, so
// the origin adds them: the name of the build, and CDN-Cache-Control with the value of the suite's Cache-Control. In
// that value, LIFETIME, the lifetime of pages in seconds, replaces the suite's long lifetimes. If a response has a
// distant Expires but no Cache-Control, the value is max-age=LIFETIME.
import http from "node:http";
import readline from "node:readline";
import fetch from "node-fetch";
import handleConfig from "http-cache-tests/server/handle-config.mjs";
import handleState from "http-cache-tests/server/handle-state.mjs";
import handleTest from "http-cache-tests/server/handle-test.mjs";
import suites from "http-cache-tests/tests/index.mjs";
import surrogate from "http-cache-tests/tests/surrogate-control.mjs";
import { getResults, runTests } from "http-cache-tests/client/runner.mjs";

const [build, lifetime] = process.argv.slice(2);
// The suite logs unusual observations about its server to the console. Drop them, because the caller reads standard
// output.
const print = console.log;
console.log = () => {};

// Reports whether an Expires field is a date in the only format that servers may send (RFC 9110 §5.6.7), and is more
// than 30 minutes away.
const lasting = (expires) => /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(expires) && Date.parse(expires) - Date.now() > 1_800_000;

function asVitrined(response) {
  const end = response.end;
  response.end = function (...body) {
    const long = `max-age=${lifetime}`;
    const control = response.getHeader("Cache-Control") ?? (lasting(response.getHeader("Expires")) ? long : undefined);
    response.setHeader("Vitrine-Build", build);
    if (control !== undefined && !response.hasHeader("CDN-Cache-Control")) {
      response.setHeader("CDN-Cache-Control", String(control).replaceAll(/\bmax-age=(?:3600|5000|10000|100000)\b/g, long));
    }
    return end.apply(response, body);
  };
}

const handlers = { config: handleConfig, state: handleState, test: handleTest };
const origin = http.createServer((request, response) => {
  const [, name, ...segments] = new URL(request.url, "http://origin").pathname.split("/");
  if (name === "test") {
    asVitrined(response);
  }
  if (name in handlers) {
    handlers[name](segments, request, response);
  } else {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => origin.listen(0, "127.0.0.1", resolve));
const address = `127.0.0.1:${origin.address().port}`;
print(address);

const [cache] = await new Promise((resolve) => readline.createInterface(process.stdin).once("line", (line) => resolve([line])));
// Only the tests' own requests go through the cache. The suite's requests before and after a test go to the origin, so
// that no cache changes their responses.
const through = (url, init) => fetch(url.startsWith(`${cache}/test/`) ? url : url.replace(cache, `http://${address}`), init);
const tests = [...suites, surrogate].flatMap((suite) => suite.tests.map((test) => ({ ...test, suite: suite.id })));
await runTests([{ tests }], through, false, cache, 60);
const results = getResults();
const report = JSON.stringify(tests.filter(({ id }) => id in results).map(({ id, suite, kind, depends_on, name }) =>
  ({ id, suite, kind: kind ?? "required", depends: depends_on ?? [], name, passed: results[id] === true, why: results[id] === true ? [] : results[id] })));
// A pipe accepts a long line only in parts, and process.exit doesn't wait for them, so exit in the callback.
process.stdout.write(`${report}\n`, () => process.exit(0));
