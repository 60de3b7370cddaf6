/**
 * Loaded before the tool, makes it believe that this Node can't use a proxy, like versions before
 * 22.21 and 24.5.
 */

Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: new Set() });
