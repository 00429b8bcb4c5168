/** What the command needs: the Model Context Protocol over lines, for a store and for a server elsewhere. */
export { StoreDoor, type StoreNames } from './door.js';
export { type BridgeOptions, bridgeLines } from './http/bridge.js';
export { LineWriter, serveLines } from './lines.js';
export type { ImportedMemory } from './memory/import.js';
export { listedTools, Session, type SessionOptions } from './session.js';
