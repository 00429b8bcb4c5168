/** SPARQL is loaded with the first query: its parser alone costs half of what importing everything else does. */
import type {
  EngineLimits,
  EvaluationOptions,
  Engine,
  ExtensionFunctions,
  PreparedSparql,
  processMemory,
  RemoteSources,
  RunningQuery,
  SparqlEngine,
  SparqlRequest,
  Task,
  TaskOptions,
} from '@quadrille/sparql';
import { platform } from '#platform';

export interface LazyEngine extends SparqlEngine {
  /** What runs at present. */
  readonly running: readonly RunningQuery[];
  /** Parses a request once for many calls. */
  prepare(
    request: SparqlRequest,
    options: Pick<EvaluationOptions, 'prefixes' | 'baseIRI' | 'task'>,
  ): Promise<PreparedSparql>;
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
export function lazyEngine(remote?: RemoteSources, limits?: EngineLimits, functions?: ExtensionFunctions): LazyEngine {
  let loading: Promise<Engine> | undefined;
  let loaded: Engine | undefined;
  const engine = (): Promise<Engine> =>
    (loading ??= import('@quadrille/sparql').then((sparql) => {
      limitMemory(sparql.processMemory);
      return (loaded = sparql.createSparqlEngine(limits, functions));
    }));
  return {
    get running() {
      return loaded?.running.list ?? [];
    },
    prepare: async (request, options) => (await import('@quadrille/sparql')).preparePaced(request, options),
    begin: (options) => loaded?.running.begin(options) ?? engine().then(({ running }) => running.begin(options)),
    query(request, dataset, options) {
      const all = remote === undefined ? options : { remote, ...options };
      if (loaded !== undefined) return loaded.query(request, dataset, all);
      return engine().then((ready) => ready.query(request, dataset, all));
    },
    update: async (request, dataset, options) => (await engine()).update(request, dataset, { remote, ...options }),
    explain: async (request, dataset, options) => (await engine()).explain(request, dataset, { remote, ...options }),
  };
}
