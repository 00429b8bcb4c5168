/** Evaluates a pattern by Comunica. No other file uses that package. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, EvaluationError } from '@quadrille/model';
import type { Operation } from '../../packages/sparql/src/algebra/algebra.js';
import { toEvaluationError, type EvaluationControl } from '../../packages/sparql/src/control/control.js';
import type { DatasetView, TermPattern } from './dataset.js';
import { lowerGraphs } from './lower-graph.js';
import { mapTerms } from '../../packages/sparql/src/algebra/map-terms.js';
import { QuadStream } from './quad-stream.js';
import { mapTripleTerm } from '../../packages/sparql/src/algebra/terms.js';

/** A solution by variable name. */
export type Solution = Record<string, RDF.Term>;

export interface EvaluationContext {
  readonly view: DatasetView;
  readonly control: EvaluationControl;
  readonly baseIRI: string | undefined;
  /** The time that NOW() gives. */
  readonly now: Date;
  /** Unguessable, for the labels of blank nodes that the request makes. */
  readonly blankNodePrefix: string;
}

/** As much of Comunica's engine as is used here. */
interface ComunicaEngine {
  query(operation: Operation, context: Readonly<Record<string, unknown>>): Promise<unknown>;
}
interface SolutionStream {
  readonly done: boolean;
  read(): Iterable<readonly [RDF.Variable, RDF.Term]> | null;
  on(event: string, listener: (value: unknown) => void): unknown;
  removeListener(event: string, listener: (value: unknown) => void): unknown;
  destroy(): void;
}

export class ComunicaEvaluator {
  readonly #engine: ComunicaEngine;

  private constructor(engine: ComunicaEngine) {
    this.#engine = engine;
  }

  /** @throws EvaluationError `UNSUPPORTED` where the package is not installed */
  static async load(): Promise<ComunicaEvaluator> {
    try {
      const { QueryEngine } = await import('@comunica/query-sparql-rdfjs');
      return new ComunicaEvaluator(new QueryEngine() as unknown as ComunicaEngine);
    } catch (cause) {
      throw new EvaluationError(
        'UNSUPPORTED',
        'this needs Comunica, which is not installed: npm install @comunica/query-sparql-rdfjs',
        { cause },
      );
    }
  }

  /** The solutions, as they are found. Nothing is loaded or read before the first is asked for. */
  async *solutions(operation: Operation, context: EvaluationContext): AsyncGenerator<Solution> {
    const { control, view } = context;
    control.throwIfFailed();
    let stream: SolutionStream | undefined;
    // Closing the last stream of a pipeline does not reach every source under it, so that these are closed one by one.
    const scans = new Set<QuadStream>();
    try {
      const lowered = await lowerGraphs(operation, () => view.namedGraphs());
      stream = await openStream(this.#engine, scopeBlankNodes(lowered), createSource(context, scans), context);
      const toTerm = termReader(context.blankNodePrefix);
      for (let item = await pull(stream, control); item !== null; item = await pull(stream, control)) {
        yield Object.fromEntries(Array.from(item, ([variable, term]) => [variable.value, toTerm(term)]));
      }
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      stream?.destroy();
      for (const scan of scans) scan.destroy();
    }
  }
}

async function openStream(
  engine: ComunicaEngine,
  operation: Operation,
  source: object,
  context: EvaluationContext,
): Promise<SolutionStream> {
  const { control, baseIRI, now } = context;
  const opening = engine
    .query(operation, {
      sources: [source],
      queryTimestamp: now,
      ...(baseIRI === undefined ? {} : { baseIRI }),
    })
    .then((result) => (result as { execute(): Promise<SolutionStream> }).execute());
  const { promise, reject } = withReject();
  const stopListening = control.onFailure(reject);
  // If the control fails first, the stream is closed when it arrives.
  opening.then(
    (stream) => {
      // Comunica emits an error again after its stream was closed; without a listener that would end the process.
      stream.on('error', (error) => control.fail(error));
      if (control.failure !== undefined) stream.destroy();
    },
    () => undefined,
  );
  try {
    return await Promise.race([opening, promise]);
  } finally {
    stopListening();
  }
}

function withReject(): { promise: Promise<never>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

/** The next item, or null at the end. */
async function pull(stream: SolutionStream, control: EvaluationControl): Promise<ReturnType<SolutionStream['read']>> {
  await control.checkpoint();
  for (;;) {
    const item = stream.read();
    control.alive();
    control.throwIfFailed();
    if (item !== null || stream.done) return item;
    await nextEvent(stream, control);
  }
}

function nextEvent(stream: SolutionStream, control: EvaluationControl): Promise<void> {
  return new Promise((resolve, reject) => {
    const events = ['readable', 'end', 'error'];
    const settle = (): void => {
      for (const event of events) stream.removeListener(event, settle);
      stopListening();
      if (control.failure === undefined) resolve();
      else reject(control.failure);
    };
    const stopListening = control.onFailure(() => queueMicrotask(settle));
    for (const event of events) stream.on(event, settle);
    if (stream.done) settle();
  });
}

/** An RDF/JS source over a view, with counts for the order of joins. */
function createSource({ view, control }: EvaluationContext, scans: Set<QuadStream>): object {
  const terms = (members: readonly unknown[]): TermPattern => {
    const [subject, predicate, object, graph] = members.map((term) => (term === null ? undefined : (term as RDF.Term)));
    return { subject, predicate, object, graph };
  };
  return {
    match: (...members: unknown[]) => {
      const pattern = terms(members);
      const batches = isPossible(pattern) ? view.match(pattern) : nothing();
      const scan = new QuadStream(batches, control, () => scans.delete(scan));
      scans.add(scan);
      return scan;
    },
    countQuads: async (...members: unknown[]) => {
      try {
        return await countQuads(view, terms(members));
      } catch (error) {
        control.fail(error);
        return 0;
      }
    },
  };
}

/** Comunica leaves out patterns that count 0, so that a 0 must be certain. */
async function countQuads(view: DatasetView, pattern: TermPattern): Promise<number> {
  if (!isPossible(pattern)) return 0;
  const estimate = await view.count(pattern, { estimate: true });
  if (estimate > 0) return estimate;
  for await (const batch of view.match(pattern)) if (batch.length > 0) return batch.length;
  return 0;
}

async function* nothing(): AsyncGenerator<readonly RDF.Quad[]> {}

function isPossible({ subject, predicate, graph }: TermPattern): boolean {
  return (
    (subject === undefined || subject.termType === 'NamedNode' || subject.termType === 'BlankNode') &&
    (predicate === undefined || predicate.termType === 'NamedNode') &&
    (graph === undefined || graph.termType !== 'Literal')
  );
}

/**
 * Comunica gives the blank nodes of a source its own labels, the old ones with a prefix. Blank nodes without that were made by the query; their labels are counters, so that they get a prefix which no stored label has.
 */
function termReader(prefix: string): (term: RDF.Term) => RDF.Term {
  const read = (term: RDF.Term): RDF.Term => {
    if (term.termType === 'Quad') return mapTripleTerm(term, read);
    if (term.termType !== 'BlankNode') return term;
    return dataFactory.blankNode(sourceLabel(term) ?? `${prefix}${term.value.replace(/[^A-Za-z0-9]/g, '')}`);
  };
  return read;
}

const LABEL_PREFIX = 'bc_0_';
const SKOLEM_PREFIX = 'urn:comunica_skolem:source_0:';

function sourceLabel(term: RDF.BlankNode): string | undefined {
  // Expressions lose `skolemized`; the label tells as well.
  return term.value.startsWith(LABEL_PREFIX) ? term.value.slice(LABEL_PREFIX.length) : undefined;
}

/** The operation with its blank nodes as Comunica has those of the source, so that they compare as equal. */
function scopeBlankNodes(operation: Operation): Operation {
  const scope = (term: RDF.Term): RDF.Term => {
    if (term.termType === 'Quad') return mapTripleTerm(term, scope);
    if (term.termType !== 'BlankNode') return term;
    const scoped = dataFactory.blankNode(LABEL_PREFIX + term.value);
    return Object.assign(scoped, { skolemized: dataFactory.namedNode(SKOLEM_PREFIX + term.value) });
  };
  return mapTerms(operation, 'term', scope) as Operation;
}
