/** All classes of queries, in the order of the report. */
import { ANALYTICAL } from './analytical-queries.js';
import { EXPLORE } from './explore-queries.js';
import type { QueryClass } from './query-class.js';

export const QUERY_CLASSES: readonly QueryClass[] = [...EXPLORE, ...ANALYTICAL];
