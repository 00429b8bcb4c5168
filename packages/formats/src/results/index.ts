export { createResultSerializer, findResultFormat, RESULT_FORMATS } from './result-registry.js';
export type { ResultFormat, ResultRow, ResultSerializer } from './serializer.js';
