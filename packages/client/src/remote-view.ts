/** Reading a repository of a server: its head, or another revision. */
import { ClientError } from './client-error.js';
import { parseQuads } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { blamed, differences, revisions } from './remote-history.js';
import { preparedOf } from './prepared.js';
import { type RevisionRecord, revisionOf } from './records.js';
import type { Requests } from './requests.js';
import {
  ANSWER_TYPES,
  bytesOf,
  LazyResults,
  openAnswer,
  LazyRows,
  openRows,
  type OpenRows,
  ROWS_TYPE,
  textOfAnswer,
} from './results.js';
import { searchAnswer } from './search-answer.js';
import {
  hasGraphs,
  mediaTypeOf,
  withoutGraphs,
  patternParameters,
  queryParameters,
  refText,
  revisionPath,
  textOf,
} from './texts.js';
import type {
  BlameEntry,
  BlameOptions,
  DiffEntry,
  DumpOptions,
  Explanation,
  LogOptions,
  PreparedQuery,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadOptions,
  Ref,
  Results,
  Revision,
  Row,
  Rows,
  SearchAnswer,
  SearchOptions,
} from './types.js';

const NQUADS = 'application/n-quads';
const NTRIPLES = 'application/n-triples';

type Call<Result> = {
  (text: string, options?: QueryOptions): Result;
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Result;
};

/**
 * The answer of a query as a document of a media type, or of one of several, as `Accept` lists them; in pieces of text. It is one
 * request: {@link RemoteView.prepare} sends one before.
 * @throws ClientError with the code of the server; `FETCH_FAILED`, `ABORTED`
 * @since 0.1.0
 */
export let answerDocument: (view: RemoteView, text: string, accept: string, options?: QueryOptions) => Results<string>;

/**
 * The content of a revision. Calls of a repository read the head at the time when the server answers.
 * @throws ClientError with the code of the server; `FETCH_FAILED`, `ABORTED`
 * @since 0.1.0
 */
export class RemoteView {
  readonly #requests: Requests;
  readonly #at: string | undefined;

  /** @internal */
  constructor(requests: Requests, at?: Ref) {
    this.#requests = requests;
    this.#at = at === undefined ? undefined : refText(at);
  }

  #revision(): { readonly 'revision-id': string | undefined } {
    return { 'revision-id': this.#at };
  }

  /** The revision that calls read at this moment. */
  async revision({ signal }: ReadOptions = {}): Promise<Revision> {
    return revisionOf(
      await this.#requests.json<RevisionRecord>({
        path: revisionPath(this.#at ?? 'HEAD'),
        signal,
      }),
    );
  }

  /** The number of quads in all graphs. */
  async size({ signal }: ReadOptions = {}): Promise<number> {
    const response = await this.#requests.send({ path: '/size', parameters: this.#revision(), signal });
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
    const requests = this.#requests;
    return new LazyResults(async function* () {
      yield* parseQuads(bytesOf(await requests.send(request), request.signal), { format });
    });
  }

  /**
   * The quads whose objects have words, the best ones first.
   * @throws ClientError `NO_INDEX` where the settings have no `search`; `TEXT_SYNTAX`
   */
  search(text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    return searchAnswer(this.#requests, options.at === undefined ? this.#at : refText(options.at), text, options);
  }

  /** The names of the graphs with at least one quad, without the default graph. */
  graphs({ signal }: ReadOptions = {}): Results<RDF.NamedNode | RDF.BlankNode> {
    const requests = this.#requests;
    const parameters = this.#revision();
    return new LazyResults(async function* () {
      const response = await requests.send({ path: '/contexts', parameters, accept: ROWS_TYPE, signal });
      for await (const row of (await openRows(response, signal)).rows)
        yield Object.values(row)[0] as RDF.NamedNode | RDF.BlankNode;
    });
  }

  /**
   * The whole content, or one graph, as a document of a format, in pieces of text.
   * @throws ClientError `INVALID_OPTION` for named graphs in a format that has none, unless the options say what to do
   */
  dump(format = NQUADS, { graph, graphs, signal }: DumpOptions = {}): Results<string> {
    const mediaType = mediaTypeOf(format);
    const parameters = { ...patternParameters({ graph }), ...this.#revision() };
    const accept = graphs === 'drop' ? withoutGraphs(mediaType) : mediaType;
    const document = this.#document({ path: '/statements', parameters, accept, signal });
    if (graph !== undefined || graphs === 'drop' || hasGraphs(mediaType)) return document;
    const firstGraph = (): Promise<unknown> => this.graphs({ signal }).first();
    return new LazyResults(async function* () {
      if ((await firstGraph()) !== undefined)
        throw new ClientError(`${mediaType} has no named graphs, and there are some: choose graph, or graphs: 'drop'`, {
          code: 'INVALID_OPTION',
          status: 0,
        });
      yield* document;
    });
  }

  #document(request: Parameters<Requests['send']>[0]): Results<string> {
    const requests = this.#requests;
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
    const asked = this.#asked(query, ROWS_TYPE, options);
    const requests = this.#requests;
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
    const answer = await this.#requests.json<{ readonly boolean: boolean }>(
      this.#asked(query, 'application/sparql-results+json', options),
    );
    return answer.boolean;
  };

  /** A query of any kind. */
  readonly query: Call<Promise<QueryAnswer>> = async (text, ...given: readonly unknown[]) => {
    const { query, options } = request(text, given);
    const asked = this.#asked(query, ANSWER_TYPES, options);
    return openAnswer(await this.#requests.send(asked), asked.signal);
  };

  static {
    answerDocument = (view, text, accept, options = {}) => view.#document(view.#asked(text, accept, options));
  }

  /**
   * What a text is, without running it, and the calls that run it.
   * @throws ClientError `SPARQL_SYNTAX` with line and column in `details`
   */
  async prepare(text: string, { signal }: ReadOptions = {}): Promise<PreparedQuery> {
    return {
      ...(await preparedOf(this.#requests, text, signal)),
      select: (options) => this.select(text, options),
      construct: (options) => this.construct(text, options),
      describe: (options) => this.describe(text, options),
      ask: (options) => this.ask(text, options),
      query: (options) => this.query(text, options),
      serialize: (mediaType, options) => answerDocument(this, text, mediaType, options),
    };
  }

  /** The plan of a query; with `analyze` the query runs, and the plan has what each step did. */
  async explain(
    text: string,
    options: QueryOptions & { readonly analyze?: boolean | undefined } = {},
  ): Promise<Explanation> {
    const asked = this.#asked(text, 'application/json', options);
    const explain = options.analyze === true ? 'analyze' : 'plan';
    return this.#requests.json<Explanation>({ ...asked, parameters: { ...asked.parameters, explain } });
  }

  /** The revisions up to the one that is read, the newest first. */
  log(options: LogOptions = {}): Results<Revision> {
    return revisions(this.#requests, this.#at === undefined ? options : { to: this.#at, ...options });
  }

  /** The difference between two revisions: what is only in the second one, and only in the first one. */
  diff(from: Ref, to: Ref = 'HEAD', pattern: QuadPattern = {}, options: ReadOptions = {}): Results<DiffEntry> {
    return differences(this.#requests, { from, to, pattern }, options);
  }

  /** The revision that each matching quad is from. The server is asked once for each revision that is named. */
  blame(pattern: QuadPattern = {}, options: BlameOptions = {}): Results<BlameEntry> {
    return blamed(this.#requests, this.#at, pattern, options);
  }
}

function request(
  text: string | TemplateStringsArray,
  given: readonly unknown[],
): { readonly query: string; readonly options: QueryOptions } {
  if (typeof text === 'string') return { query: text, options: (given[0] as QueryOptions | undefined) ?? {} };
  return { query: textOf(text, given), options: {} };
}
