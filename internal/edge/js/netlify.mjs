// Responds to requests on Netlify. context.next fetches the published files.

import { createHandler } from "../vitrine/engine.mjs";
import manifest from "../vitrine/manifest.mjs";

const handle = createHandler(manifest);

export default (request, context) => handle(request, (asset) => context.next(asset));
