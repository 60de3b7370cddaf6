/** Loaded before the tool, makes it believe that this Node is an older one. */

Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
