/** SPARQL is loaded with the first query: its parser alone costs half of what importing everything else does. */
import type {
  EngineOptions,
  EvaluationOptions,
  Engine,
  PreparedSparql,
  processMemory,
  RemoteSources,
  RunningQuery,
  SparqlEngine,
  SparqlRequest,
  Task,
  TaskOptions,
} from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { platform } from '#platform';
import type { QueryMemory } from '../host/host-types.js';

export interface LazyEngine extends SparqlEngine {
  /** See {@link Engine.document}. */
  document(...call: Parameters<Engine['document']>): ReturnType<Engine['document']>;
  /** The running queries and updates. */
  readonly running: readonly RunningQuery[];
  /** See {@link Engine.running}. */
  charge(bytes: number, mostBytes: number): void;
  /** Parses a request once for many calls. */
  prepare(
    request: SparqlRequest,
    options: Pick<EvaluationOptions, 'prefixes' | 'baseIRI' | 'task'>,
  ): Promise<PreparedSparql>;
  /** The quads of a request that is INSERT DATA alone; `undefined` for any other one, and before the first query. */
  dataToInsert(
    request: SparqlRequest,
    options: Pick<EvaluationOptions, 'prefixes' | 'baseIRI'>,
  ): readonly RDF.Quad[] | undefined;
  /** The deadline of a call that says nothing, in milliseconds. */
  readonly timeoutMs: number | undefined;
  /** The limits and the present use of memory by queries. */
  memory(): Promise<QueryMemory>;
  /** Begins a request that takes several calls. The caller ends it. A promise only before the first query. */
  begin(options: TaskOptions): Task | Promise<Task>;
}

let limited = false;

/** Queries of all databases of a process share its memory: the limits follow from what it has when the first one comes. */
function limitMemory(memory: typeof processMemory): void {
  if (limited) return;
  limited = true;
  const limits = platform.memoryLimits();
  if (limits !== undefined) memory.limit(limits);
}

/** `remote` is handed on with every request. */
export function lazyEngine(remote?: RemoteSources, options: EngineOptions = {}): LazyEngine {
  let loading: Promise<Engine> | undefined;
  let loaded: Engine | undefined;
  let module: Pick<typeof import('@quadrille/sparql'), 'preparePaced' | 'dataToInsert'> | undefined;
  const engine = (): Promise<Engine> =>
    (loading ??= Promise.all([import('@quadrille/sparql'), import('./own-functions.js')]).then(([sparql, own]) => {
      module = sparql;
      limitMemory(sparql.processMemory);
      return (loaded = sparql.createSparqlEngine({
        ...options,
        functions: { ...own.OWN_FUNCTIONS, ...options.functions },
      }));
    }));
  return {
    get running() {
      return loaded?.running.list ?? [];
    },
    timeoutMs: options.limits?.timeoutMs,
    charge: (bytes, mostBytes) => loaded?.running.charge(bytes, mostBytes),
    prepare: async (request, { prefixes, baseIRI, task }) => {
      // Each import of a module takes microseconds, also of one that is loaded.
      const { preparePaced } = module ?? (await import('@quadrille/sparql'));
      return preparePaced(request, { prefixes, baseIRI, task, aggregates: options.aggregates });
    },
    dataToInsert: (request, { prefixes, baseIRI }) =>
      module?.dataToInsert(request, { prefixes, baseIRI, aggregates: options.aggregates }),
    async memory() {
      await engine();
      const { processMemory } = await import('@quadrille/sparql');
      const { columns, values, takenBytes } = processMemory;
      return {
        queryBytes: options.limits?.memoryBytes ?? processMemory.queryBytes,
        columnBytes: Math.floor(columns.limitBytes),
        valueBytes: Math.floor(values.limitBytes),
        takenBytes,
      };
    },
    begin: (given) => loaded?.running.begin(given) ?? engine().then(({ running }) => running.begin(given)),
    query(request, dataset, given) {
      const all = remote === undefined ? given : { remote, ...given };
      if (loaded !== undefined) return loaded.query(request, dataset, all);
      return engine().then((ready) => ready.query(request, dataset, all));
    },
    document(request, dataset, given, elsewhere) {
      const all = remote === undefined ? given : { remote, ...given };
      if (loaded !== undefined) return loaded.document(request, dataset, all, elsewhere);
      return engine().then((ready) => ready.document(request, dataset, all, elsewhere));
    },
    update: async (request, dataset, given) =>
      (loaded ?? (await engine())).update(request, dataset, { remote, ...given }),
    explain: async (request, dataset, given) => (await engine()).explain(request, dataset, { remote, ...given }),
  };
}
