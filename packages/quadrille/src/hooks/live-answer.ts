/** An answer that follows its repository, for programs that draw it: one state, and who is told when another one takes its place. */
import { termToText } from '@quadrille/model';
import type { Revision } from '@quadrille/core';
import type { Row } from '../api/index.js';

interface Rows extends AsyncIterable<Row> {
  toArray(): Promise<Row[]>;
}

interface Called {
  readonly signal: AbortSignal;
}

/**
 * A repository of the library or of `@quadrille/client`.
 * @since 0.1.0
 */
export interface LiveRepository {
  /** Its newest revision. */
  revision(): Promise<Revision>;
  /** A revision of it. */
  at(ref: string | number): { revision(): Promise<Revision>; select(text: string, options: Called): Rows };
  /** Its revisions as they come. */
  watch(options: Called & { readonly since: string }): AsyncIterable<{ readonly revision: Revision }>;
  /** The changes of an answer. */
  live(text: string, options: Called): AsyncIterable<Pick<LiveState, 'added' | 'removed'> & { revision: Revision }>;
}

/**
 * Which answer is followed.
 * @since 0.1.0
 */
export interface UseLiveOptions {
  /**
   * The ref of the revision that is asked, such as a number, an id or a tag. Its answer stays.
   * @defaultValue the head, which is followed
   */
  readonly at?: string | number | undefined;
  /**
   * Most rows. With `offset` and the ORDER BY of the query it makes pages.
   * @defaultValue all
   */
  readonly limit?: number | undefined;
  /**
   * Rows before the first one.
   * @defaultValue 0
   */
  readonly offset?: number | undefined;
}

/**
 * An answer as it is now.
 * @since 0.1.0
 */
export interface LiveState {
  /** The rows, in the order of the query's ORDER BY. */
  readonly rows: readonly Row[];
  /** Rows that the last update has brought. */
  readonly added: readonly Row[];
  /** Rows that the last update has taken away. */
  readonly removed: readonly Row[];
  /** The revision of the answer; `undefined` until it is there. */
  readonly revision: Revision | undefined;
  /** Why the answer does not go on. The rows stay. */
  readonly error: Error | undefined;
  /** Whether the first answer is not there yet. */
  readonly loading: boolean;
}

/** What is there before the first answer. */
export const LOADING: LiveState = {
  rows: [],
  added: [],
  removed: [],
  revision: undefined,
  error: undefined,
  loading: true,
};

/** Where the order or the number of rows matters, the query runs again after a revision. A sub-select that has one does no harm. */
const ORDERED = /\border\s+by\b/i;

export class LiveAnswer {
  #state = LOADING;
  readonly #listeners = new Set<() => void>();
  #ending: AbortController | undefined;

  constructor(
    private readonly repository: LiveRepository,
    private readonly text: string,
    private readonly options: UseLiveOptions = {},
  ) {}

  get state(): LiveState {
    return this.#state;
  }

  /** Calls `listener` after each change of the state, until the returned function is called. The answer is followed while there are listeners. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#ending === undefined) void this.#run((this.#ending = new AbortController()).signal);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#ending?.abort();
      this.#ending = undefined;
    };
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { at, limit, offset } = this.options;
    try {
      if (at !== undefined) await this.#askAt(at, signal);
      else if (limit !== undefined || offset !== undefined || ORDERED.test(this.text)) await this.#askAgain(signal);
      else await this.#follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#show({ ...this.#state, error: error instanceof Error ? error : new Error(String(error)), loading: false });
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    // Whoever subscribes again gets the whole answer again.
    let rows: readonly Row[] = [];
    for await (const { revision, added, removed } of this.repository.live(this.text, { signal })) {
      rows = [...without(rows, removed), ...added];
      if (signal.aborted) return;
      this.#show({ rows, added, removed, revision, error: undefined, loading: false });
    }
  }

  async #askAgain(signal: AbortSignal): Promise<void> {
    let shown = await this.#askAt((await this.repository.revision()).id, signal);
    for await (const { revision } of this.repository.watch({ since: shown.id, signal })) {
      // The answer before may have been of a later revision than this one.
      if (revision.number <= shown.number) continue;
      shown = await this.#askAt((await this.repository.revision()).id, signal);
    }
  }

  async #askAt(ref: string | number, signal: AbortSignal): Promise<Revision> {
    const view = this.repository.at(ref);
    const [revision, rows] = [await view.revision(), await this.#window(view.select(this.text, { signal }))];
    const before = this.#state.rows;
    const [added, removed] = [without(rows, before), without(before, rows)];
    if (!signal.aborted) this.#show({ rows, added, removed, revision, error: undefined, loading: false });
    return revision;
  }

  async #window(all: Rows): Promise<readonly Row[]> {
    const { limit = Infinity, offset = 0 } = this.options;
    if (limit === Infinity && offset === 0) return all.toArray();
    const rows: Row[] = [];
    if (limit <= 0) return rows;
    let place = 0;
    for await (const row of all) {
      if (place++ < offset) continue;
      if (rows.push(row) >= limit) break;
    }
    return rows;
  }

  #show(state: LiveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const keys = new WeakMap<Row, string>();

function keyOf(row: Row): string {
  let key = keys.get(row);
  if (key === undefined) {
    const values = Object.entries(row).filter(([, term]) => term !== undefined);
    key = values
      .map(([name, term]) => `${name} ${termToText(term!)}`)
      .toSorted()
      .join('\n');
    keys.set(row, key);
  }
  return key;
}

/** Rows without others, each of which takes one equal row away. */
function without(rows: readonly Row[], gone: readonly Row[]): readonly Row[] {
  if (gone.length === 0) return rows;
  const counts = new Map<string, number>();
  for (const row of gone) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const count = counts.get(keyOf(row)) ?? 0;
    if (count > 0) counts.set(keyOf(row), count - 1);
    return count === 0;
  });
}
