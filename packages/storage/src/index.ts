export * from './contract.js';
export { compareBytes, equalBytes, isInRange, toHex } from './bytes.js';
export { loadChecksum, type Checksum } from './checksum.js';
export { StorageEngine, type EngineState } from './engine.js';
export { ENVELOPE_BYTES } from './envelope.js';
export { isFull, toQuadrilleError, toStorageError } from './failure.js';
export { checkOps } from './limits.js';
export { MemoryDriver } from './memory-driver.js';
export { scanSnapshot, SortedTable, type TableSnapshot } from './sorted-table.js';
