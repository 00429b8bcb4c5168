/**
 * What the evaluator needs of a store that knows terms by ids (model's term-ids.ts says what an id tells by itself). Equal
 * terms have equal ids. Steps are synchronous: where something has to be fetched a step answers {@link MISS}; the caller awaits the
 * promise that belongs to it and repeats the step.
 */
import type * as RDF from '@rdfjs/types';

/** Answer of a step that has to fetch something first. */
export const MISS = -1;

/** Ids that a quad must have; 0 matches anything, as graph too the default graph. */
export interface IdPattern {
  readonly s: number;
  readonly p: number;
  readonly o: number;
  readonly g: number;
}

/** The order in which rows come, ascending by these positions one after the other. `gspo` has named graphs only. */
export type IdOrder = 'spog' | 'posg' | 'ospg' | 'gspo';

export interface ScanOptions {
  /** An order to keep; without it, the one that reads least. */
  readonly order?: IdOrder;
  /** Bounds, both included, of the first position of the order that the pattern leaves open. */
  readonly least?: number;
  readonly greatest?: number;
}

/** Quads in one order, in windows of at most some thousands. */
export interface IdScan {
  /** Rows of the next window, 0 at the end, {@link MISS} where {@link fetch} has to be awaited first. */
  next(): number;
  fetch(): Promise<void>;
  /** The window: rows `start … end` of these columns. Good until the next step; not to be written to. */
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  readonly start: number;
  readonly end: number;
  close(): void;
}

/** Many scans one after the other whose patterns bind the same positions: cheaper than as many scans. */
export interface IdSeeker extends IdScan {
  /** Begins the scan of another pattern; `next` then gives its first window. */
  seek(s: number, p: number, o: number, g: number): void;
}

/** Which positions of a pattern are bound. */
export interface BoundPositions {
  readonly s: boolean;
  readonly p: boolean;
  readonly o: boolean;
  readonly g: boolean;
  /** The order to read named graphs in. Default: the one with the longest prefix of bound positions. */
  readonly order?: IdOrder;
}

/** Quads by predicate and by graph (the default graph is {@link DEFAULT_GRAPH}), exact. */
export interface IdStatistics {
  readonly predicates: ReadonlyMap<number, number>;
  readonly graphs: ReadonlyMap<number, number>;
}

/** One unchanging state of a repository, by ids. Computed terms get ids that are good as long as this object. */
export interface IdDataset {
  /** Plans made for one dataset serve all that have the same key: those of one repository, whatever their revision. */
  readonly planKey: object;
  /** Ids of terms mean the same in all datasets that have the same key, but for local ones. */
  readonly termKey: object;
  /** Quads in all graphs. */
  readonly size: number;
  /** False only where no quad stands in a named graph. */
  readonly hasNamedGraphs: boolean;
  /** Graphs that are no part of the store: only patterns and requests that name them reach them. */
  readonly extraGraphs?: { has(graph: number): boolean };
  /** Throws where it can be read no more. The results of a query look after the dataset that it is for; parts in others ask. */
  check?(): void;

  /** The id of a term; 0 if neither the store nor {@link intern} has it; {@link MISS}: await {@link fetchTerm}. */
  find(term: RDF.Term): number;
  /** As {@link find}, but a term without an id gets one. */
  intern(term: RDF.Term): number;
  /** The term of an id; `undefined`: await {@link fetchTerm}. */
  term(id: number): RDF.Term | undefined;
  /** The term of an id where it is at hand already: never reads, for passing over a batch at once. */
  cachedTerm(id: number): RDF.Term | undefined;
  /** Subject, predicate and object of a triple term; `null` for another term; `undefined`: await {@link fetchTerm}. */
  triple(id: number): readonly [number, number, number] | null | undefined;
  /** Brings in what the last of these steps lacked. */
  fetchTerm(): Promise<void>;

  scan(pattern: IdPattern, options?: ScanOptions): IdScan;
  seeker(bound: BoundPositions): IdSeeker;
  /** How many quads match. Exact; may have to scan. */
  count(pattern: IdPattern): Promise<number>;
  /** About how many quads match, without scanning; 0 only where none does. */
  estimate(pattern: IdPattern): number | Promise<number>;
  /** About how many subjects, or objects, the quads of a predicate have; 0 where nothing is known. */
  distinct(predicate: number, position: 'subject' | 'object'): number;
  statistics(): Promise<IdStatistics>;
  /**
   * About so many of the quads that match, spread evenly over them, for estimates: some may have been removed. Reads at most a block for
   * each. Not to be had in every dataset.
   */
  sample?(pattern: IdPattern, count: number): Promise<IdQuads>;
  /** About how many quads of a predicate have objects from `least` to `greatest`; 0 only where none has. Not to be had in every dataset. */
  estimateObjects?(predicate: number, least: number, greatest: number): number | Promise<number>;
  /** Cuts the quads of a predicate into parts by their objects, without reading anything. Not to be had in every dataset. */
  stepObjects?(step: ObjectStep): number | undefined;
}

/**
 * A part of the quads of a predicate, which begins at the object `from`. It ends at the object that {@link IdDataset.stepObjects} gives, both
 * included, and has about so many rows, or more where one object has more; `undefined`: it has all that is left.
 */
export interface ObjectStep {
  readonly predicate: number;
  readonly from: number;
  readonly rows: number;
  readonly descending: boolean;
}

/** Columns of quads by ids. */
export interface IdQuads {
  readonly s: ArrayLike<number>;
  readonly p: ArrayLike<number>;
  readonly o: ArrayLike<number>;
  readonly g: ArrayLike<number>;
  readonly length: number;
}

/** A staged transaction, by ids. It sees its own changes; what {@link IdDataset.intern} gave may be added. */
export interface WritableIdDataset extends IdDataset {
  /**
   * Resolves when reads see all changes so far. To be awaited between a change and a read. `predicates`: those of all quads that are
   * read until the next call; the answers depend on no other quad. Default: they may depend on any.
   */
  beginReading(predicates?: readonly RDF.Term[]): Promise<void>;
  /** @throws InvalidArgumentError `INVALID_TERM` where a term cannot stand in its place */
  add(quads: IdQuads): Promise<void>;
  remove(quads: IdQuads): Promise<void>;
  removeMatches(pattern: IdPattern): Promise<void>;
}
