/**
 * What few programs use, and those that do not need not load: a web page has fewer bytes to fetch. It is one module,
 * because each module that is loaded apart splits what it shares with the others into more files.
 */
export { Branches, checkTagName } from './branch/branches.js';
export { graphLog } from './branch/graph-log.js';
export { Lines } from './branch/lines.js';
export { quadsAcross } from './branch/diff-across.js';
export { locateElsewhere } from './branch/locate.js';
export { Merger } from './branch/merge.js';
export { previewMerge } from './branch/preview-merge.js';
export { isMergedIn } from './branch/ancestry.js';
export { upgradeStore } from './catalogue/upgrade.js';
export { Follower } from './follow/follower.js';
export { changeSettings } from './write/change-settings.js';
export { manyQuadIds } from './write/many-quad-ids.js';
export { flushTerms, mergeHashRuns } from './dictionary/dictionary-flush.js';
export { truncateTerms } from './dictionary/truncate-terms.js';
export { eraseData } from './erase/erase-data.js';
export { finishErasure } from './erase/finish-erasure.js';
export { branchSections } from './history/branch-sections.js';
export { exportRevisions } from './history/export-revisions.js';
export { revisionLines, snapshotLines } from './history/revision-lines.js';
export { HistoryImport } from './history/history-import.js';
export { HistoryFaults } from './history/imported-revision.js';
export { compactRepository } from './compact/compact.js';
export { rebuildFromLog, rebuildLines } from './integrity/rebuild.js';
export { verifyLines } from './integrity/verify-lines.js';
export { verifyRecords, verifyRepositories } from './integrity/verify-store.js';
export { diffQuads } from './read/diff-quads.js';
export { HistorySource } from './read/history.js';
export { filteredLog, logRange } from './read/filtered-log.js';
export { RevisionCursor } from './read/revision-cursor.js';
export { Attestations } from './revision/attestations.js';
export { revisionChanges } from './read/revision-changes.js';
export { trimRepository } from './trim/trim-repository.js';
export { trimmedError, TrimmedNumbers } from './revision/trimmed-numbers.js';
export { lastAmongTrimmed } from './timeline/find-trimmed.js';
export { Candidate } from './write/candidate.js';
export { BulkLoader } from './write/bulk-load/bulk-load.js';
export { LargeChange } from './write/large-change/large-change.js';
export { removeMatches } from './write/remove-matches.js';
export { resetToRevision, revertRevision } from './branch/revert.js';
