export * from './contract.js';
export { compareBytes, equalBytes, toHex } from './bytes.js';
export { StorageEngine, type EngineState } from './engine.js';
export { ENVELOPE_BYTES } from './envelope.js';
export { MemoryDriver } from './memory-driver.js';
