// Responds to requests on Cloudflare Workers. ASSETS serves the published files.

import { createHandler } from "./vitrine/engine.mjs";
import manifest from "./vitrine/manifest.mjs";

const handle = createHandler(manifest);

export default {
  fetch: (request, env) => handle(request, (asset) => env.ASSETS.fetch(asset)),
};
