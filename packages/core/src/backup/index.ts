/** Backups of a store: loaded when the first one is made or read. */
export { damagedBackup } from './errors.js';
export { checkPoint, cutRepositories } from './restore-point.js';
export type { RestorePoint } from './restore-point.js';
export { forkRepository } from './fork-repository.js';
export { settleCopy } from './settle-copy.js';
export { checkAttempt, checkManifest, isSegmentName, isSetName, SEGMENT_BYTES } from './manifest.js';
export type { Attempt, Manifest, RecordSpan, RepositoryEntry, SegmentEntry } from './manifest.js';
export { RecordWriter } from './restore-records.js';
export { beginUnfinished, clearUnfinished } from './unfinished.js';
export { segmentRecords } from './segment-reader.js';
export type { SegmentRecord } from './segment-reader.js';
export type { SegmentSink } from './segment-writer.js';
export { writeBackup } from './write-backup.js';
export type { BackupFigures, BackupTarget, PreviousBackup, WrittenBackup } from './write-backup.js';
export * from '../move/index.js';
