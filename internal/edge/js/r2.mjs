// Responds on Cloudflare Workers from a bucket (R2) that `vitrine deploy s3://bucket/prefix --edge` filled. An isolate
// reads the object "current" at most every two seconds, and the table of each build once. For each response, it reads
// at most one more object. While the bucket can't be read, the isolate keeps serving the last build that it read.

import { createHandler } from "./engine.mjs";
import { below } from "./mount.mjs";

/** @import { FetchAsset } from "./engine.mjs" */

/** @typedef {{get: (key: string) => Promise<{body: ReadableStream, size: number, json: () => Promise<any>} | null>}} Bucket */
/** @typedef {{BUCKET: Bucket, PREFIX?: string}} Env PREFIX ends with a slash, or is "" or absent */

/**
 * A build that is ready to be served. objects maps the names of the build's files to the keys of their objects.
 * @typedef {{name: string, handle: (request: Request, fetchAsset: FetchAsset) => Promise<Response>, objects: Map<string, string>}} Site
 */

// The minimum time in milliseconds between two checks for a new build.
const FRESH = 2000;

/** @type {Site | undefined} */
let site;
let looked = 0;

/**
 * Reads an object of the bucket.
 * @param {Env} env
 * @param {string} key
 */
async function read(env, key) {
  const object = await env.BUCKET.get((env.PREFIX ?? "") + key);
  if (object === null) {
    throw new Error(`the bucket has no object ${key}`);
  }
  return object;
}

/**
 * Returns the bucket's current build, ready to be served.
 * @param {Env} env
 * @returns {Promise<Site>}
 */
async function load(env) {
  const current = await (await read(env, "current")).json();
  const { name } = current.builds[0];
  if (site?.name === name) {
    return site;
  }
  const { mount, manifest, objects } = await (await read(env, `tables/${name}`)).json();
  const handle = createHandler(manifest);
  return { name, handle: mount === "" ? handle : below(mount, handle), objects: new Map(Object.entries(objects)) };
}

export default {
  /**
   * @param {Request} request
   * @param {Env} env
   */
  async fetch(request, env) {
    const now = Date.now();
    if (site === undefined || now - looked >= FRESH) {
      looked = now;
      try {
        site = await load(env);
      } catch (error) {
        console.error(`reading the current build: ${error}`);
      }
    }
    if (site === undefined) {
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "5" };
      return new Response("The site is not available.\n", { status: 503, headers });
    }
    const { handle, objects } = site;
    return handle(request, async (asset) => {
      const file = decodeURIComponent(new URL(asset.url).pathname.slice(1));
      const { body, size } = await read(env, objects.get(file) ?? file);
      return new Response(body, { headers: { "Content-Length": String(size) } });
    });
  },
};
