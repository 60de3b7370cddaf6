// Replaces Netlify's CDN in tests. It sends a request to the edge function that the bundler's routes select, in a Deno
// process that keeps its isolate, as in production. If no function matches, it serves published files. Netlify's own
// packages serve the files, apply the header rules, and run the function.
//   node front.mjs BUNDLE.json DENO BOOTSTRAP.mjs
import { HeadersHandler } from "@netlify/headers";
import { StaticHandler } from "@netlify/static";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const [bundleFile, deno, bootstrap] = process.argv.slice(2);
const { config, functions, manifest } = JSON.parse(readFileSync(bundleFile, "utf8"));

const files = new StaticHandler({ directory: config.build.publish });
const rules = new HeadersHandler({
  configHeaders: config.headers, projectDir: config.build.base ?? process.cwd(), publishDir: config.build.publish, logger: console,
});

/** Starts Deno with the functions and returns its port. */
async function startDeno() {
  const modules = Object.fromEntries(functions.map(({ name, path }) => [name, pathToFileURL(path).href]));
  const script = new URL("./isolate.mjs", import.meta.url).pathname;
  const child = spawn(deno, [
    "run", "--quiet", "--no-lock", "--no-config", "--cached-only", "--allow-net=127.0.0.1", "--allow-read", "--allow-env",
    script, pathToFileURL(bootstrap).href, JSON.stringify(modules),
  ], { stdio: ["ignore", "pipe", "inherit"] });
  child.on("exit", (code) => process.exit(code ?? 1));
  const [line] = await once(createInterface(child.stdout), "line");
  return Number(line);
}

/** Returns the routes that match a request's method and path, each with its index. */
function functionsFor(method, pathname) {
  const excluded = (patterns = []) => patterns.some((p) => new RegExp(p).test(pathname));
  return manifest.routes.map((route, index) => ({ ...route, index })).filter((route) =>
    new RegExp(route.pattern).test(pathname) &&
    !(route.methods?.length > 0 && !route.methods.includes(method)) &&
    !excluded(route.excluded_patterns) &&
    !excluded(manifest.function_config[route.function]?.excluded_patterns));
}

/** Serves a published file as Netlify does if no function responds. */
async function serveFile(incoming, response, url) {
  const request = new Request(url, { headers: new Headers(pairs(incoming.rawHeaders)) });
  const match = await files.match(request);
  const answer = match ? await match.handle() : new Response("not found", { status: 404 });
  await rules.apply(request, answer);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  answer.body ? Readable.fromWeb(answer.body).pipe(response) : response.end();
}

/** Sends a request through the functions, with the fields that Netlify's CDN adds. */
function invoke(incoming, response, routes, port) {
  const own = `127.0.0.1:${server.address().port}`;
  const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64");
  const outgoing = httpRequest({
    agent: false, host: "127.0.0.1", port, method: incoming.method, path: incoming.url, setHost: false,
    headers: [
      ...incoming.rawHeaders,
      "x-forwarded-host", own, "x-forwarded-proto", "http:",
      "x-nf-deploy-context", "production", "x-nf-deploy-id", "0", "x-nf-request-id", "0",
      "x-nf-client-connection-ip", "127.0.0.1", "x-nf-geo", encoded({}), "x-nf-site-info", encoded({ id: "", name: "", url: `http://${own}` }),
      "x-nf-passthrough", "passthrough", "x-nf-passthrough-host", own, "x-nf-passthrough-proto", "http:",
      "x-nf-edge-functions", routes.map((r) => r.function).join(","),
      "x-nf-edge-functions-metadata", encoded({
        function_config: manifest.function_config, req_routes: routes.map((r) => r.index), routes: manifest.routes,
      }),
    ],
  }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(response);
  });
  outgoing.on("error", (error) => response.destroy(error));
  incoming.pipe(outgoing);
}

/** Converts a list of alternating names and values to pairs. */
function pairs(raw) {
  return raw.flatMap((value, i) => (i % 2 === 0 ? [[value, raw[i + 1]]] : []));
}

const port = await startDeno();
const server = createServer({ sendDate: false }, (incoming, response) => {
  // Don't resolve the path relative to the host, because a path that starts with "//" would name another host.
  const url = new URL(`http://${incoming.headers.host}${incoming.url}`);
  const routes = incoming.headers["x-nf-passthrough"] ? [] : functionsFor(incoming.method, url.pathname);
  const done = routes.length > 0 ? invoke(incoming, response, routes, port) : serveFile(incoming, response, url);
  Promise.resolve(done).catch((error) => response.destroy(error));
});
server.listen(0, "127.0.0.1", () => console.log(`ready http://127.0.0.1:${server.address().port}`));
