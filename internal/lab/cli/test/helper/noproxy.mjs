/** Loaded before the tool, makes it believe that this Node cannot use a proxy, as those before 22.21 and 24.5. */

Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: new Set() });
