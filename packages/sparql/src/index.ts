export * from './dataset.js';
export * from './id-dataset.js';
export { WHOLE_DATASET, DatasetView, selectGraphs, type GraphSelection, type GraphSource } from './dataset-view.js';
export {
  parseRequest,
  prepareRequest,
  type Explanation,
  type ExplainOptions,
  type IdSolutions,
  type SparqlAnswer,
  type SparqlEngine,
  type SparqlRequest,
} from './engine.js';
export type { EvaluationOptions } from './options.js';
export { createComunicaEngine, createSparqlEngine } from './create-engine.js';
export { NativeEngine, type NativeEngineOptions } from './native/native-engine.js';
export type { RunningQuery } from './running.js';
export {
  MAX_NESTING,
  parseSparql,
  type DatasetClause,
  type ParseOptions,
  type ParsedQuery,
  type ParsedSparql,
  type ParsedUpdate,
  type QueryKind,
} from './parse.js';
export type { RemoteBindings, RemoteCallOptions, RemoteSources } from './remote.js';
export { isSparqlTemplate, sparql, type SparqlTemplate } from './template.js';
