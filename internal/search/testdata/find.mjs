// Searches an index as a browser does. Standard input is {engine, folder, start, queries, fresh, version}. For each
// query, it writes {count, results, bytes, files, ms}, with the bytes and files that it fetched. If fresh is true, it
// opens the index again for each query, as for a new visitor.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
const { engine, folder, start, queries, fresh, version } = JSON.parse(await text(process.stdin));
const { open } = await import(engine);
let bytes = 0, files = 0;
globalThis.fetch = async (path) => {
  const body = await readFile(folder + path);
  bytes += body.length;
  files++;
  return new Response(body);
};
let index;
for (const query of queries) {
  [bytes, files] = [0, 0];
  const began = performance.now();
  if (fresh || !index) index = await open(start);
  const found = await index.search(query, version || undefined);
  const results = await found.next();
  console.log(JSON.stringify({ count: found.count, results, bytes, files, ms: performance.now() - began }));
}
