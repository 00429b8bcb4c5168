/** Media types that several resources take or give. */
import { ASK_OFFERS, GRAPH_OFFERS, SELECT_OFFERS, STATEMENT_OFFERS } from '../documents/media-types.js';

export const JSON_TYPE = 'application/json';
export const FORM = 'application/x-www-form-urlencoded';
export const QUERY_TYPES = [FORM, 'multipart/form-data', 'application/sparql-query', 'application/sparql-update'];
export const QUERY_ANSWERS = [...new Set([...ASK_OFFERS, ...GRAPH_OFFERS])];
export const DIFFS = ['application/rdf-patch', 'application/sparql-update', 'application/trig', JSON_TYPE];
/** Statements, and what has changed from one revision to another: `revision-id=2--5`. */
export const STATEMENTS_OR_DIFF = [...new Set([...STATEMENT_OFFERS, ...DIFFS])];
export const LISTS = [JSON_TYPE, ...SELECT_OFFERS];
