/** Quadrille: an RDF quad store inside your Node process that keeps every commit as a revision. */
export type * from './api/index.js';
export { open } from './open.js';
export type { Location } from './open.js';
export { joinStore } from './follow/join-store.js';
export { collectGarbage } from './follow/collect-garbage.js';
export { moveRepository } from './move/index.js';
export { publish } from './publish/index.js';
export { recover } from './recover.js';
export { restore, unpackBackup, verifyBackup } from './backups.js';
export { inspectSparql } from './sparql/inspect-sparql.js';
export type { InspectOptions } from './sparql/inspect-sparql.js';
export { parseSparql } from './sparql/parse-sparql.js';
export type { ParsedText, ParseSparqlOptions } from './sparql/parse-sparql.js';
export { formats } from './documents/formats.js';
export { fetchedContexts } from './load/fetched-contexts.js';
export { draftMapping } from './tables/draft-mapping.js';
export type { DraftMappingOptions } from './tables/draft-mapping.js';
export { mapTable } from './tables/map-table.js';
export type { MapTableOptions } from './tables/map-table.js';
export { answerDiff } from './live/compare-answers.js';
export { asStore } from './rdfjs/as-store.js';
export type { RdfjsSource, RdfjsStore } from './rdfjs/as-store.js';
export { rowsDocument, tripleRows } from './documents/rows-document.js';
export { parseTerm } from '@quadrille/formats';
export type { RdfFormat } from '@quadrille/formats';
export { sparql } from '@quadrille/sparql/template';
export {
  AccessError,
  blankNode,
  ConflictError,
  CorruptionError,
  dataFactory,
  defaultGraph,
  EvaluationError,
  FetchError,
  InvalidArgumentError,
  InvalidRecordError,
  iri,
  LimitError,
  literal,
  NotFoundError,
  ParseError,
  printTerm,
  quad,
  QuadrilleError,
  ShapesError,
  StateError,
  StorageError,
  termToNTriples,
  termToText,
} from '@quadrille/model';
export type { ErrorCode } from '@quadrille/model';
