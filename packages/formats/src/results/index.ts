export { termToJson } from './json.js';
export { loadResultParser, parseResults, parseResultsAsync } from './parse-results.js';
export { createResultSerializer, findResultFormat, RESULT_FORMATS } from './result-registry.js';
export { faultOfTerm } from './result-terms.js';
export type { ParsedResults } from './result-terms.js';
export type { CellColumn, ResultFormat, ResultRow, ResultSerializer } from './serializer.js';
