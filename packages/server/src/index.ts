/** The server: a `fetch` handler over a database, and the adapter that serves it with node:http. */
export * from './adapter/browser.js';
export { serveNode, type NodeServer, type ServeOptions, type TlsIdentity } from './adapter/node.js';
export type { ConnectionLimits } from './adapter/connections.js';
export { endEarly } from '@quadrille/http';
export { DEFAULT_PORT, serveOnPort } from './adapter/serve-on-port.js';
export { type ChangesAfter, lastChange, patchesUntil } from './documents/present-patches.js';
