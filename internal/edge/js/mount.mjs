// Serves a site under a path of its host. The decision uses only paths without the base path. The build added the base
// path to all bodies, and to all header fields except Location.

/** @import { FetchAsset } from "./engine.mjs" */

/**
 * Returns a function that responds to requests for a site under a path, such as "/acorn".
 * @param {string} mount
 * @param {(request: Request, fetchAsset: FetchAsset) => Promise<Response>} handle the site's function
 * @returns {(request: Request, fetchAsset: FetchAsset) => Promise<Response>}
 */
export function below(mount, handle) {
  return async (request, fetchAsset) => {
    const [, host, path, query] = /^([^:]+:\/\/[^/?#]*)([^?#]*)([^]*)$/.exec(request.url) ?? ["", "", "", ""];
    const { method, headers } = request;
    const own = /** @type {Request} */ ({ method, headers, url: host + pathBelow(mount, path) + query });
    const response = await handle(own, fetchAsset);
    const location = response.headers.get("Location");
    if (location !== null) {
      response.headers.set("Location", mount + location);
    }
    return response;
  };
}

/**
 * Returns the path within the site for a request path as sent. A path outside the mount becomes a path that no resource
 * can have. The mount itself becomes a path that redirects to the home page. See Manifest.Below in internal/artifact.
 * @param {string} mount
 * @param {string} path
 */
function pathBelow(mount, path) {
  let rest = path;
  for (const char of mount) {
    const escape = /^%([0-9A-Fa-f]{2})/.exec(rest);
    if (rest.startsWith(char)) {
      rest = rest.slice(1);
    } else if (escape !== null && char !== "/" && String.fromCharCode(Number.parseInt(escape[1], 16)) === char) {
      rest = rest.slice(3);
    } else {
      return "/%00";
    }
  }
  if (rest === "") {
    return "//";
  }
  return rest.startsWith("/") ? rest : "/%00";
}
