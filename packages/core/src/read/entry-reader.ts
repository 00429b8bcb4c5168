/** Reads changes of quads as objects, batch by batch. Synchronous unless a block or term must be fetched, as {@link QuadReader} is. */
import type { LazySequence } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { MISS } from '../keyspace/block-cache.js';
import type { IdPattern } from '../index/orders.js';
import type { ChangeRows } from './change-window.js';
import { QuadReader } from './quad-reader.js';
import type { Snapshot, TermPattern } from './snapshot.js';

type Maybe<T> = T | Promise<T>;

/** Where entries come from. */
export interface EntrySource<T, R extends ChangeRows = ChangeRows> {
  /** What the rows are read from; closed with the reader. The first one has the terms. */
  readonly snapshots: readonly Snapshot[];
  readonly rows: (pattern: IdPattern) => R;
  /** Makes the entry of a row of the window. */
  entry(quad: RDF.Quad, row: number, rows: R): T;
  /** Waits for what `entry` needs of some rows; `undefined` if it is there. */
  ready?(rows: R, start: number, end: number): Promise<void> | undefined;
}

export class EntryReader<T> implements LazySequence<T[]> {
  #source: EntrySource<T> | undefined;
  #rows: ChangeRows | undefined;
  #reader: QuadReader | undefined;
  #isClosed = false;

  constructor(
    private readonly open: () => Maybe<EntrySource<T>>,
    private readonly pattern: TermPattern = {},
  ) {}

  /** The next entries. At the end, and where that fails, it closes itself. */
  next(): Maybe<T[] | undefined> {
    if (this.#isClosed) return undefined;
    try {
      const entries = this.#reader === undefined ? this.#open() : this.#read(this.#reader);
      return entries instanceof Promise ? entries.catch((error: unknown) => this.#fail(error)) : entries;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    this.close();
    throw error;
  }

  #open(): Maybe<T[] | undefined> {
    const source = this.open();
    return source instanceof Promise ? source.then((opened) => this.#begin(opened)) : this.#begin(source);
  }

  #begin(source: EntrySource<T>): Maybe<T[] | undefined> {
    this.#source = source;
    if (this.#isClosed) return this.#end();
    const [snapshot] = source.snapshots;
    const ids = snapshot!.tryIds(this.pattern);
    if (ids !== MISS) return this.#start(ids);
    return snapshot!.ids(this.pattern).then((fetched) => this.#start(fetched));
  }

  #start(ids: IdPattern | undefined): Maybe<T[] | undefined> {
    if (ids === undefined || this.#isClosed) return this.#end();
    const { snapshots, rows } = this.#source!;
    this.#rows = rows(ids);
    this.#reader = new QuadReader(snapshots[0]!.timeline, this.#rows);
    return this.#read(this.#reader);
  }

  #read(reader: QuadReader): Maybe<T[] | undefined> {
    const quads = reader.next();
    return quads instanceof Promise ? quads.then((fetched) => this.#entries(fetched)) : this.#entries(quads);
  }

  #entries(quads: readonly RDF.Quad[] | undefined): Maybe<T[] | undefined> {
    if (quads === undefined) return this.#end();
    const first = this.#reader!.rowOf(0);
    const wait = this.#source!.ready?.(this.#rows!, first, first + quads.length);
    return wait === undefined ? this.#made(quads, first) : wait.then(() => this.#made(quads, first));
  }

  #made(quads: readonly RDF.Quad[], first: number): T[] {
    const source = this.#source!;
    const rows = this.#rows!;
    const entries = new Array<T>(quads.length);
    for (let i = 0; i < quads.length; i++) entries[i] = source.entry(quads[i]!, first + i, rows);
    return entries;
  }

  #end(): undefined {
    this.close();
    return undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#reader?.close();
    for (const snapshot of this.#source?.snapshots ?? []) snapshot.close();
  }
}
