/**
 * The engine: dictionary, indexes, revisions and repositories over a storage. It does no input or output itself and
 * imports no `node:` module.
 */
export { MAX_AUTHOR_BYTES, MAX_MESSAGE_BYTES, textProblem } from './write/commit-info.js';
export type { BulkLoader } from './write/bulk-load/bulk-load.js';
export type { SpaceUse } from './maintenance/compact.js';
export { Pacer, platformEnv } from './runtime/env.js';
export type { Env } from './runtime/env.js';
export type { ExportedRevision } from './history/export-revisions.js';
export type { HistoryImport } from './history/history-import.js';
export type { HistoryFaults, ImportedRevision } from './history/imported-revision.js';
export { FORMAT_VERSION } from './format/layout.js';
export type { VerifyProblem, VerifyReport } from './maintenance/verify.js';
export { ANY } from './index/orders.js';
export type { IdPattern, OrderName, ScanOptions } from './index/orders.js';
export type { QuadScan } from './index/read/quad-scan.js';
export type { BoundPositions, QuadSeeker } from './index/read/quad-seeker.js';
export type { Attestations, HashCheckpoint, StoredSignature } from './revision/attestations.js';
export { checkName } from './catalogue/names.js';
export type { NamedValues } from './catalogue/named-values.js';
export type { QuadReader } from './read/quad-reader.js';
export type { Candidate } from './write/candidate.js';
export type { StoredSettings } from './catalogue/stored-settings.js';
export type { RepositoryRecord } from './catalogue/repository-records.js';
export { recoverStore } from './recovery/recover.js';
export type { RecoveryOptions } from './recovery/recover-store.js';
export type { RecoveredRepository, RecoveryProblem, RecoveryReport } from './recovery/report.js';
export { Repository } from './repository.js';
export type { CommitInfo } from './repository.js';
export type { KnownTerms } from './dictionary/known-terms.js';
export type { DiffEntry } from './read/diff-quads.js';
export type { HistoryEvent } from './read/history.js';
export type { RevisionCursor } from './read/revision-cursor.js';
export { baseOf, isSquash, toRevision } from './revision/record.js';
export type { Revision, RevisionKind, RevisionRecord } from './revision/record.js';
export { isTagName } from './revision/refs.js';
export type { Ref } from './revision/refs.js';
export type { RecordChange, ServiceRecords } from './catalogue/service-records.js';
export type { Snapshot, TermPattern } from './read/snapshot.js';
export type { Statistics } from './revision/statistics.js';
export { Store } from './store.js';
export type { StoreOptions } from './store.js';
export type { IdColumns, StagedTransaction } from './write/transaction/transaction.js';
export { termCacheLimit } from './dictionary/term-cache.js';
export type { IntegrityPart } from './revision/record-fields.js';
export type { TrimReport, TrimRequest } from './trim/trim-repository.js';
export { transactionMemory } from './write/transaction/transaction-memory.js';
export type { Tuning } from './runtime/tuning.js';
