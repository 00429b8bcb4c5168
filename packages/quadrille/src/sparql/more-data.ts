/** Rare parts of queries, and the data that they read beside their repository. One module, which is loaded with the first of them. */
export { explained, wrongKind } from '../read/rare-answers.js';
export { withBlameGraph } from './blame-graph.js';
export { withExtraGraphs } from './extra-graphs.js';
export { OtherSnapshots } from './other-snapshots.js';
