/**
 * For the command `quadrille bench`: compares storage backends and other stores with one set of data, and writes the
 * reports.
 */
export { compareStores } from './store-comparison/run-comparison.js';
export type { ComparisonOptions, Progress } from './store-comparison/comparison-options.js';
export type { ComparisonReport, Machine, MeasuredStore } from './store-comparison/comparison-report.js';
export type { Runs } from './store-comparison/schedule.js';
export type { Measurement } from './store-comparison/measurements.js';
export { htmlReport } from './store-comparison/report/html.js';
export { markdownReport } from './store-comparison/report/markdown.js';
export { terminalReport } from './store-comparison/report/terminal.js';
export { BACKENDS, PEERS, storeNamed } from './stores/all-stores.js';
export { missingOf } from './stores/missing.js';
export { PHASES } from './stores/store.js';
export type { Phase, StoreKind } from './stores/store.js';
export { generateQuads, nquadsChunks } from './generate/quads.js';
export type { GeneratorOptions } from './generate/entities.js';
export { updatesOf } from './generate/updates.js';
