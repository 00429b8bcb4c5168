export * from './contract.js';
export { SharedMemory, SharedMemoryDriver } from './memory-driver.js';
export { LogReader, type Fold } from './log/log-reader.js';
export { LogWriter, type WriterOptions } from './log/log-writer.js';
export { replaceCheckpoint } from './log/replace-root.js';
export type { Checkpoint, CheckpointPack, RootRecord } from './log/root-record.js';
export type { SliceCache } from './table/slice-reader.js';
export { SharedStorage, type SharedStorageOptions } from './table/shared-storage.js';
