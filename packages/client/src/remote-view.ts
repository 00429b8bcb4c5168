/** Reading a repository of a server: its head, or another revision. */
import { parseQuads, parseTerm } from '@quadrille/formats';
import { defaultGraph, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type RevisionRecord, revisionOf } from './records.js';
import type { Requests } from './requests.js';
import {
  bytesOf,
  LazyResults,
  LazyRows,
  linesOf,
  type OpenRows,
  type Results,
  type Rows,
  textOfAnswer,
} from './results.js';
import { mediaTypeOf, patternParameters, queryParameters, refText, textOf } from './texts.js';
import type { DiffEntry, LogOptions, QuadPattern, QueryOptions, ReadOptions, Ref, Revision, Row } from './types.js';

const NQUADS = 'application/n-quads';
const NTRIPLES = 'application/n-triples';
const ROWS = 'text/tab-separated-values';
/** Revisions of one answer. */
const PAGE = 1000;

type Call<Result> = {
  (text: string, options?: QueryOptions): Result;
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Result;
};

interface DiffRecord {
  readonly op: 'add' | 'remove';
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph: string | null;
}

/**
 * The content of a revision. Calls of a repository read the head at the time when the server answers.
 * @throws ClientError with the code of the server; `FETCH_FAILED`, `ABORTED`
 * @since 0.1.0
 */
export class RemoteView {
  /** @internal */
  protected readonly requests: Requests;
  readonly #at: string | undefined;

  /** @internal */
  constructor(requests: Requests, at?: Ref) {
    this.requests = requests;
    this.#at = at === undefined ? undefined : refText(at);
  }

  #revision(): { readonly 'revision-id': string | undefined } {
    return { 'revision-id': this.#at };
  }

  /** The revision that calls read at this moment. */
  async revision({ signal }: ReadOptions = {}): Promise<Revision> {
    return revisionOf(
      await this.requests.json<RevisionRecord>({
        path: `/revisions/${encodeURIComponent(this.#at ?? 'HEAD')}`,
        signal,
      }),
    );
  }

  /** The number of quads in all graphs. */
  async size({ signal }: ReadOptions = {}): Promise<number> {
    const response = await this.requests.send({ path: '/size', parameters: this.#revision(), signal });
    return Number(await response.text());
  }

  /** The number of quads that match a pattern, which are read. */
  async count(pattern: QuadPattern = {}, options: ReadOptions = {}): Promise<number> {
    if (Object.values(patternParameters(pattern)).every((value) => value === undefined)) return this.size(options);
    let count = 0;
    for await (const _ of this.quads(pattern, options)) count++;
    return count;
  }

  /** Whether a quad is there, or one that matches a pattern. */
  async has(pattern: QuadPattern, options: ReadOptions = {}): Promise<boolean> {
    return (await this.quads(pattern, options).first()) !== undefined;
  }

  /** The quads that match a pattern, each once. */
  quads(pattern: QuadPattern = {}, { signal }: ReadOptions = {}): Results<RDF.Quad> {
    const parameters = { ...patternParameters(pattern), ...this.#revision() };
    return this.#quadsOf({ path: '/statements', parameters, accept: NQUADS, signal }, 'nq');
  }

  #quadsOf(request: Parameters<Requests['send']>[0], format: 'nq' | 'nt'): Results<RDF.Quad> {
    const { requests } = this;
    return new LazyResults(async function* () {
      yield* parseQuads(bytesOf(await requests.send(request), request.signal), { format });
    });
  }

  /** The names of the graphs with at least one quad, without the default graph. */
  graphs({ signal }: ReadOptions = {}): Results<RDF.NamedNode | RDF.BlankNode> {
    const { requests } = this;
    const parameters = this.#revision();
    return new LazyResults(async function* () {
      const response = await requests.send({ path: '/contexts', parameters, accept: ROWS, signal });
      for await (const row of (await openRows(response, signal)).rows)
        yield Object.values(row)[0] as RDF.NamedNode | RDF.BlankNode;
    });
  }

  /** The whole content as a document of a format, in pieces of text. */
  dump(format = NQUADS, { signal }: ReadOptions = {}): Results<string> {
    return this.#document({
      path: '/statements',
      parameters: this.#revision(),
      accept: mediaTypeOf(format),
      signal,
    });
  }

  #document(request: Parameters<Requests['send']>[0]): Results<string> {
    const { requests } = this;
    return new LazyResults(async function* () {
      yield* textOfAnswer(await requests.send(request), request.signal);
    });
  }

  #asked(text: string, accept: string, options: QueryOptions): Parameters<Requests['send']>[0] {
    return {
      method: 'POST',
      path: '/sparql',
      parameters: { ...queryParameters(options), ...this.#revision() },
      headers: { 'Content-Type': 'application/sparql-query' },
      body: text,
      accept,
      signal: options.signal,
    };
  }

  /** The rows of a SELECT. The type parameter is that of a row. */
  select<R extends object = Row>(text: string, options?: QueryOptions): Rows<R>;
  select<R extends object = Row>(strings: TemplateStringsArray, ...values: readonly unknown[]): Rows<R>;
  select<R extends object = Row>(text: string | TemplateStringsArray, ...given: readonly unknown[]): Rows<R> {
    const { query, options } = request(text, given);
    const asked = this.#asked(query, ROWS, options);
    const { requests } = this;
    return new LazyRows<R>(
      async () => (await openRows(await requests.send(asked), asked.signal)) as unknown as OpenRows<R>,
    );
  }

  /** The triples of a CONSTRUCT. */
  readonly construct: Call<Results<RDF.Quad>> = (text, ...given: readonly unknown[]) => {
    const { query, options } = request(text, given);
    return this.#quadsOf(this.#asked(query, NTRIPLES, options), 'nt');
  };

  /** The triples of a DESCRIBE. */
  readonly describe: Call<Results<RDF.Quad>> = this.construct;

  /** Whether an ASK has a solution. */
  readonly ask: Call<Promise<boolean>> = async (text, ...given: readonly unknown[]) => {
    const { query, options } = request(text, given);
    const answer = await this.requests.json<{ readonly boolean: boolean }>(
      this.#asked(query, 'application/sparql-results+json', options),
    );
    return answer.boolean;
  };

  /** The answer of a query as a document of a media type, in pieces of text. */
  serialize(text: string, mediaType: string, options: QueryOptions = {}): Results<string> {
    return this.#document(this.#asked(text, mediaType, options));
  }

  /** The revisions up to the one that is read, the newest first. */
  log({ limit = Infinity, before, from, to = this.#at, signal }: LogOptions = {}): Results<Revision> {
    const { requests } = this;
    const text = (ref: Ref | undefined): string | undefined => (ref === undefined ? undefined : refText(ref));
    return new LazyResults(async function* () {
      let left = limit;
      let last = text(before);
      while (left > 0) {
        const size = Math.min(left, PAGE);
        const parameters = { limit: String(size), before: last, from: text(from), until: text(to) };
        const page = await requests.json<readonly RevisionRecord[]>({ path: '/revisions', parameters, signal });
        for (const record of page) yield revisionOf(record);
        if (page.length < size) return;
        left -= page.length;
        last = String(page.at(-1)!.ordinal);
      }
    });
  }

  /** The difference between two revisions: what is only in the second one, and only in the first one. */
  diff(from: Ref, to: Ref = 'HEAD', pattern: QuadPattern = {}, { signal }: ReadOptions = {}): Results<DiffEntry> {
    const { requests } = this;
    const parameters = { from: refText(from), to: refText(to), ...patternParameters(pattern) };
    return new LazyResults(async function* () {
      const records = await requests.json<readonly DiffRecord[]>({ path: '/diff', parameters, signal });
      for (const { op, subject, predicate, object, graph } of records) {
        const [s, p, o] = [subject, predicate, object].map((term) => parseTerm(term)) as [never, never, never];
        yield { op, quad: quad(s, p, o, graph === null ? defaultGraph() : (parseTerm(graph) as RDF.NamedNode)) };
      }
    });
  }
}

function request(
  text: string | TemplateStringsArray,
  given: readonly unknown[],
): { readonly query: string; readonly options: QueryOptions } {
  if (typeof text === 'string') return { query: text, options: (given[0] as QueryOptions | undefined) ?? {} };
  return { query: textOf(text, given), options: {} };
}

/** The columns and rows of an answer in tab-separated values. */
async function openRows(response: Response, signal: AbortSignal | undefined): Promise<OpenRows<Row>> {
  const lines = linesOf(response, signal);
  const { value: head = '' } = await lines.next();
  const columns = head === '' ? [] : head.split('\t').map((name: string) => name.replace(/^\?/, ''));
  return { columns, rows: rowsOf(columns, lines) };
}

async function* rowsOf(columns: readonly string[], lines: AsyncIterable<string>): AsyncGenerator<Row> {
  for await (const line of lines) {
    const row: Record<string, RDF.Term> = {};
    for (const [i, cell] of line.split('\t').entries())
      if (cell !== '' && columns[i] !== undefined) row[columns[i]] = parseTerm(cell);
    yield row;
  }
}
