// Performs the steps of a Netlify build that follow the build command, with Netlify's own packages
// and without a network. It reads netlify.toml, bundles the edge functions, and writes the input of
// front.mjs as JSON to standard output.
//   node bundle.mjs PROJECT DIST
import { resolveConfig } from "@netlify/config";
import { bundle } from "@netlify/edge-bundler";
import { join } from "node:path";

const [project, dist] = process.argv.slice(2);

const { config } = await resolveConfig({
  cwd: project, repositoryRoot: project, context: "production", branch: "main", mode: "cli", offline: true,
});
const { functions, manifest } = await bundle([config.build.edge_functions], dist, config.edge_functions ?? [], {
  basePath: project,
  cacheDirectory: join(dist, ".cache"),
  userLogger: console.error,
});
console.log(JSON.stringify({ config, functions, manifest }));
