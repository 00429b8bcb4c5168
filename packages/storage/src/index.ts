export * from './contract.js';
export { compareBytes, equalBytes, isInRange, toHex } from './bytes.js';
export { StorageEngine, type EngineState } from './engine.js';
export { ENVELOPE_BYTES } from './envelope.js';
export { isFull, toQuadrilleError, toStorageError } from './failure.js';
export { MemoryDriver } from './memory-driver.js';
