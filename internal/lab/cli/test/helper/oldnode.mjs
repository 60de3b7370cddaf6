/** Preloaded to simulate an older Node. */

Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
