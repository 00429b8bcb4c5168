/**
 * A process that opens one backend and times the queries that its parent sends. The parent kills it if a query takes
 * too long.
 */
import type { Context } from '../workload.js';
import { BACKENDS } from './backends.js';
import { serveQueries } from './serve-queries.js';

const { backend: name, context } = JSON.parse(process.argv[2]!) as { backend: string; context: Context };
serveQueries(await BACKENDS[name]!.open(context));
