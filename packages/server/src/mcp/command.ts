/** What the command needs: the Model Context Protocol over lines, for a store and for a server elsewhere. */
export { StoreDoor } from './door.js';
export type { StoreNames } from './forward/forwarded-calls.js';
export { type BridgeOptions, bridgeLines } from './http/bridge.js';
export { LineWriter, serveLines } from './lines.js';
export type { ImportedMemory } from './memory/import.js';
export { Session, type SessionOptions } from './session.js';
export { listedTools } from './tools.js';
