/** Mappings of rows to statements: loaded where a table is. */
export { OpenMapping, ROW_NUMBER, RowMapping, type RowMappingOptions } from './row-mapping.js';
export type { Solution } from './row-solutions.js';
export { StringValue, type Value, valueOf } from '../expression/values/value.js';
