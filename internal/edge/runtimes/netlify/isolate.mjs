// Runs edge functions on Netlify's bootstrap in one isolate, as production does.
// The server of @netlify/edge-functions-dev creates a new isolate for each request.
//   deno run isolate.mjs BOOTSTRAP FUNCTIONS
const [bootstrap, modules] = Deno.args;
const functions = {};
const { handleRequest } = await import(bootstrap);
for (const [name, url] of Object.entries(JSON.parse(modules))) {
  functions[name] = (await import(url)).default;
}
const log = console.log;
const fetchRewrites = new Map();
Deno.serve({
  hostname: "127.0.0.1", port: 0,
  onListen: ({ port }) => log(port),
}, (request) => handleRequest(request, functions, { fetchRewrites, rawLogger: console.error, requestTimeout: 36_000 }));
