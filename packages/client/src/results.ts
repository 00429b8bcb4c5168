/** Results of the client: read once, as they arrive. */
import { parseQuads, parseTerm } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { failureOf } from './client-error.js';
import type { QueryAnswer, Results, Row, Rows } from './types.js';

export class LazyResults<T> implements Results<T> {
  readonly #items: () => AsyncGenerator<T>;

  constructor(items: () => AsyncGenerator<T>) {
    this.#items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#items();
  }

  async toArray(): Promise<T[]> {
    const all: T[] = [];
    for await (const item of this) all.push(item);
    return all;
  }

  async first(): Promise<T | undefined> {
    for await (const item of this) return item;
    return undefined;
  }
}

/** Rows whose columns have come. */
export interface OpenRows<R> {
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<R>;
}

export class LazyRows<R extends object> extends LazyResults<R> implements Rows<R> {
  readonly #open: () => Promise<OpenRows<R>>;

  /** @param open asks the server; it is called once, by whoever asks for a row or for the columns first */
  constructor(open: () => Promise<OpenRows<R>>) {
    let opened: Promise<OpenRows<R>> | undefined;
    const once = (): Promise<OpenRows<R>> => (opened ??= open());
    super(async function* () {
      yield* (await once()).rows;
    });
    this.#open = once;
  }

  get variables(): Promise<readonly string[]> {
    return this.#open().then(({ columns }) => columns);
  }
}

/** The bytes of an answer. Leaving the loop ends the request. */
export async function* bytesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = response.body!.getReader();
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw failureOf(response.url, cause, signal);
      });
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}

/** The text of an answer, in pieces. */
export async function* textOfAnswer(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of bytesOf(response, signal)) yield decoder.decode(bytes, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** The lines of an answer, without their ends. */
export async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textOfAnswer(response, signal)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** The media type in which rows are asked for. */
export const ROWS_TYPE = 'text/tab-separated-values';

/** The columns and rows of an answer in tab-separated values. */
export async function openRows(response: Response, signal: AbortSignal | undefined): Promise<OpenRows<Row>> {
  const lines = linesOf(response, signal);
  const { value: head = '' } = await lines.next();
  return rowsBelow(head as string, lines);
}

function rowsBelow(head: string, lines: AsyncIterable<string>): OpenRows<Row> {
  const columns = head === '' ? [] : head.split('\t').map((name) => name.replace(/^\?/, ''));
  return { columns, rows: rowsOf(columns, lines) };
}

/** The media types in which an answer of any kind is asked for. Rows are also offered for triples. */
export const ANSWER_TYPES = `application/n-triples, ${ROWS_TYPE};q=0.9`;

/** An answer in one of {@link ANSWER_TYPES}. The names of columns begin with `?`, so a truth value is none. */
export async function openAnswer(response: Response, signal: AbortSignal | undefined): Promise<QueryAnswer> {
  if (!(response.headers.get('Content-Type') ?? '').startsWith(ROWS_TYPE)) {
    const quads = async function* () {
      yield* parseQuads(bytesOf(response, signal), { format: 'nt' });
    };
    return { type: 'quads', quads: new LazyResults(quads) };
  }
  const lines = linesOf(response, signal);
  const { value: head = '' } = await lines.next();
  if (head === 'true' || head === 'false') {
    await lines.return(undefined);
    return { type: 'boolean', value: head === 'true' };
  }
  const { columns, rows } = rowsBelow(head as string, lines);
  return { type: 'bindings', variables: columns, rows: new LazyResults(() => rows) };
}

async function* rowsOf(columns: readonly string[], lines: AsyncIterable<string>): AsyncGenerator<Row> {
  for await (const line of lines) {
    const row: Record<string, RDF.Term> = {};
    for (const [i, cell] of line.split('\t').entries())
      if (cell !== '' && columns[i] !== undefined) row[columns[i]] = parseTerm(cell);
    yield row;
  }
}
