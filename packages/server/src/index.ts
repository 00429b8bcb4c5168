/** The server: a `fetch` handler over a database, and the adapter that serves it with node:http. */
export * from './fetch/browser.js';
export { serveNode, type NodeServer, type ServeOptions, type TlsIdentity } from './node/node.js';
export type { ConnectionLimits } from './node/connections.js';
export { endEarly } from './http/index.js';
export { DEFAULT_PORT, serveOnPort } from './node/serve-on-port.js';
export { type Role, serve, type Served, type ServeStoreOptions } from './roles/index.js';
export { type ChangesAfter, lastChange, patchesUntil } from './documents/present-patches.js';
