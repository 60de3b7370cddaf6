/**
 * Preloaded to simulate a Node without proxy support, like versions before 22.21 and 24.5.
 */

Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: new Set() });
