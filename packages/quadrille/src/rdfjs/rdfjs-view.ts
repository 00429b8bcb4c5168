/** One revision as RDF/JS reads it: a source of quads, a dataset, and queries whose answers are streams. */
import { platform } from '#platform';
import type * as RDF from '@rdfjs/types';
import { lazySequence } from '@quadrille/model';
import type { QuadPattern, QueryOptions } from '../api/index.js';
import { QUERY_OPTIONS } from '../options/calls.js';
import { checkTerms } from '../read/quads.js';
import { abandon, settled } from '../read/snapshot-source.js';
import { View } from '../read/view.js';

export class RdfjsView extends View {
  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): RDF.Stream<RDF.Quad> {
    const pattern = { subject, predicate, object, graph };
    checkTerms(pattern);
    const record = settled(this.resolve());
    return platform.streamOf(() => this.quadsAt(record, pattern), this.ends(undefined));
  }

  async toDataset(pattern: QuadPattern = {}): Promise<RDF.DatasetCore> {
    const { toDataset } = await import('./to-dataset.js');
    return toDataset(this.quads(pattern));
  }

  async queryBindings(
    query: string,
    context?: RDF.QueryContext & QueryOptions,
  ): Promise<RDF.ResultStream<RDF.Bindings>> {
    const options = knownOptions<QueryOptions>(context, QUERY_OPTIONS);
    const record = settled(this.resolve());
    // Most pages ask in other ways.
    const { RowBindings } = await import('./bindings.js');
    const { answer, snapshot } = await this.answerOf('bindings', query, options, record);
    const rows = mapped(answer.batches, RowBindings.fromRow, () => snapshot.close());
    return platform.streamOf(() => lazySequence<readonly RDF.Bindings[]>(() => rows), {
      ...this.ends(options),
      unread: () => abandon(answer.batches, snapshot),
    });
  }

  async queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>> {
    const options = knownOptions<QueryOptions>(context, QUERY_OPTIONS);
    const { answer, snapshot } = await this.answerOf('quads', query, options);
    const quads = mapped(
      answer.batches,
      (quad) => quad,
      () => snapshot.close(),
    );
    return platform.streamOf(() => lazySequence(() => quads), {
      ...this.ends(options),
      unread: () => abandon(answer.batches, snapshot),
    });
  }

  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean> {
    return this.ask(query, knownOptions<QueryOptions>(context, QUERY_OPTIONS));
  }
}

async function* mapped<T, R>(
  batches: AsyncIterable<readonly T[]>,
  map: (item: T) => R,
  done: () => void,
): AsyncGenerator<readonly R[]> {
  try {
    for await (const items of batches) yield items.map(map);
  } finally {
    done();
  }
}

/** The options of ours in a query context of RDF/JS, which may hold those of other engines too. */
export function knownOptions<Options>(context: object | undefined, known: object): Options {
  return Object.fromEntries(Object.entries(context ?? {}).filter(([key]) => Object.hasOwn(known, key))) as Options;
}
