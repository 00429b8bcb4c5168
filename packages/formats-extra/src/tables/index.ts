/** Readers of tables and of JSON as rows: loaded with the first table. */
export { DelimitedReader, type DelimitedReaderOptions } from './delimited-reader.js';
export { JsonLinesReader, JsonTableReader } from './json-rows.js';
export { numberText } from './exact-numbers.js';
export type { TableReader, TableReaderOptions } from './table-reader.js';
export { isArray, isObject } from '../json/canonical-json.js';
export type { Json, JsonObject } from '../json/json-document.js';
