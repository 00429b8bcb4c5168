/**
 * What the evaluator needs of a store that knows terms by ids (model's term-ids.ts says what an id tells by itself). Equal
 * terms have equal ids. Steps are synchronous: where something has to be fetched a step answers {@link MISS}; the caller awaits the
 * promise that belongs to it and repeats the step.
 */
import type * as RDF from '@rdfjs/types';
import type { FamilyNumber } from '@quadrille/model/order-key';

/** Answer of a step that has to fetch something first. */
export const MISS = -1;

/** Ids that a quad must have; 0 matches anything, as graph too the default graph. */
export interface IdPattern {
  /** Id of the subject. */
  readonly s: number;
  /** Id of the predicate. */
  readonly p: number;
  /** Id of the object. */
  readonly o: number;
  /** Id of the graph. */
  readonly g: number;
}

/** The order in which rows come, ascending by these positions one after the other. `gspo` has named graphs only. */
export type IdOrder = 'spog' | 'posg' | 'ospg' | 'gspo';

/** Options of a scan. */
export interface ScanOptions {
  /** An order to keep; without it, the one that reads least. */
  readonly order?: IdOrder;
  /** Bounds, both included, of the first position of the order that the pattern leaves open. */
  readonly least?: number;
  /** The upper bound; see `least`. */
  readonly greatest?: number;
}

/** Quads in one order, in windows of at most some thousands. */
export interface IdScan {
  /** Rows of the next window, 0 at the end, {@link MISS} where {@link fetch} has to be awaited first. */
  next(): number;
  /** Fetches what `next` lacked. */
  fetch(): Promise<void>;
  /**
   * Subjects. Rows `start` to `end` of the columns are the window. It is good until the next step, and not to be written to.
   */
  readonly s: Uint32Array;
  /** Predicates. */
  readonly p: Uint32Array;
  /** Objects. */
  readonly o: Uint32Array;
  /** Graphs. */
  readonly g: Uint32Array;
  /** The first row of the window. */
  readonly start: number;
  /** The row behind the last one of the window. */
  readonly end: number;
  /** Frees what the scan holds. */
  close(): void;
}

/** Subject, predicate, object and graph of a pattern; 0: any. */
export type SoughtIds = readonly [number, number, number, number];

/** Many scans one after the other whose patterns bind the same positions: cheaper than as many scans. */
export interface IdSeeker extends IdScan {
  /** Begins the scan of another pattern; `next` then gives its first window. */
  seek(s: number, p: number, o: number, g: number): void;
  /** As of a scan. `ahead`: patterns that are sought next, of which some of what they need may come along. */
  fetch(ahead?: Iterable<SoughtIds>): Promise<void>;
}

/** What ends a call early: it throws then. */
export interface Ends {
  /** Throws if the call has to end. */
  throwIfAborted(): void;
}

/** Which positions of a pattern are bound. */
export interface BoundPositions {
  /** Whether the subject is bound. */
  readonly s: boolean;
  /** Whether the predicate is bound. */
  readonly p: boolean;
  /** Whether the object is bound. */
  readonly o: boolean;
  /** Whether the graph is bound. */
  readonly g: boolean;
  /** The order to read named graphs in. Default: the one with the longest prefix of bound positions. */
  readonly order?: IdOrder;
}

/** Numbers of quads by id, as a `Map` has them. */
export interface IdCounts extends Iterable<readonly [number, number]> {
  /** Number of ids. */
  readonly size: number;
  /** Whether an id has quads. */
  has(id: number): boolean;
  /** The quads of an id; `undefined` if it has none. */
  get(id: number): number | undefined;
  /** All ids that have quads. */
  keys(): Iterable<number>;
}

/** Quads by predicate and by graph (the default graph has the id 1), exact. */
export interface IdStatistics {
  /** Quads by the id of their predicate. */
  readonly predicates: IdCounts;
  /** Quads by the id of their graph. */
  readonly graphs: IdCounts;
}

/** A literal with words. */
export interface FoundLiteral {
  /** Of the literal. */
  readonly id: number;
  /** How well it fits: more is better. */
  readonly score: number;
}

/** Literals with words. */
export interface FoundLiterals {
  /** Those that fit best come first. */
  readonly literals: {
    /** How many there are by now. */
    readonly count: number;
    /** The id of the next one, and how well it fits; `undefined` at the end. */
    next(): FoundLiteral | undefined;
    /** Where it is given: brings in more after the end, or returns false. */
    more?(): Promise<boolean>;
    /** The ids of all that `next` has not given, ascending. It gives none any more. */
    rest(): Uint32Array;
  };
  /** The text of a literal with marks before and behind the words that were asked for. Not to be had in every dataset. */
  highlight?(text: string, start: string, end: string): string;
  /** The only properties whose values are found. */
  readonly properties?: ReadonlySet<number> | undefined;
  /** The only graphs whose quads are found. */
  readonly graphs?: ReadonlySet<number> | undefined;
}

/** A question for vectors. */
export interface NearestQuestion {
  /** The name of the vectors in the settings. */
  readonly name: string;
  /** The vector in its lexical form. */
  readonly vector: string;
  /** IRI of the datatype of the vector. */
  readonly datatype: string;
  /** The only subjects that count, each of them once. Default: any. */
  readonly subjects?: Uint32Array | undefined;
}

/** Literals of vectors. */
export interface NearestLiterals {
  /** Those that are nearest come first. */
  readonly vectors: {
    /** How many there are at most. */
    readonly count: number;
    /** The id of the next one, and its cosine; `undefined` at the end. */
    next(): FoundLiteral | undefined | Promise<FoundLiteral | undefined>;
  };
  /** The only property whose values count; 0: no quad has it. */
  readonly property: number;
}

/** A literal has a word that is, begins with, or contains letters and digits of ASCII, in lower case. */
export interface WordTest {
  /** How the word has them. */
  readonly kind: 'is' | 'starts' | 'contains';
  /** The letters and digits. */
  readonly piece: string;
}

/** Strings that pass tests of their words. */
export interface TestedStrings {
  /** Ids of all that pass, ascending, and perhaps of others. */
  readonly ids: Uint32Array;
  /** If asked for, a bit for each id, low ids first: 1 for all terms that are no strings with words. Ids behind its end are of such, too. */
  readonly wordless?: Uint32Array | undefined;
}

/** Keys of literals, both included. */
export interface KeyRange {
  /** Whose keys. */
  readonly family: FamilyNumber;
  /** The least key. */
  readonly least: number;
  /** The greatest key. */
  readonly greatest: number;
}

/** Literals by their keys. */
export interface KeyedIds {
  /** Their ids. */
  readonly ids: Uint32Array;
  /** The key of each. */
  readonly keys: Float64Array;
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
  readonly extraGraphs?: {
    /** Whether a graph is one of them. */
    has(graph: number): boolean;
  };
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
  /** Brings in what the last of these steps lacked. `ahead`: ids whose terms are wanted next, which may come along. */
  fetchTerm(ahead?: () => Iterable<number>): Promise<void>;

  /** Brings in what {@link find} needs for terms, by few round trips. Missing where no step takes one. */
  fetchIds?(terms: readonly RDF.Term[]): Promise<void>;

  /** The quads that match. */
  scan(pattern: IdPattern, options?: ScanOptions): IdScan;
  /** What scans many patterns, which bind the same positions, one after the other. */
  seeker(bound: BoundPositions): IdSeeker;
  /** How many quads match. Exact; may have to scan, and asks `ends` meanwhile. */
  count(pattern: IdPattern, ends?: Ends): Promise<number>;
  /** About how many quads match, without scanning; 0 only where none does. */
  estimate(pattern: IdPattern): number | Promise<number>;
  /** About how many subjects, or objects, the quads of a predicate have; 0 where nothing is known. */
  distinct(predicate: number, position: 'subject' | 'object'): number;
  /** The numbers of quads by predicate and by graph. */
  statistics(): Promise<IdStatistics>;
  /**
   * Returns about `count` matching quads for estimates, spread evenly over all of them. Some may have been removed. Reads at most
   * one block for each. Optional.
   */
  sample?(pattern: IdPattern, count: number): Promise<IdQuads>;
  /** About how many quads of a predicate have objects from `least` to `greatest`; 0 only where none has. Not to be had in every dataset. */
  estimateObjects?(predicate: number, least: number, greatest: number): number | Promise<number>;
  /**
   * The literals that have words. `text`: in the syntax of Lucene's classic query parser. `language`: the tag, or the beginning of one.
   * `inParts`: some may come only with `more`. Not to be had in every dataset.
   * @throws ParseError `TEXT_SYNTAX`; ConflictError `NO_INDEX`
   */
  search?(
    question: { readonly text: string; readonly language?: string | undefined; readonly inParts?: boolean | undefined },
    ends: Ends,
  ): Promise<FoundLiterals>;
  /**
   * The literals whose vectors are nearest to one. Not to be had in every dataset.
   * @throws InvalidArgumentError `INVALID_VECTOR`; ConflictError `NO_INDEX`
   */
  nearest?(question: NearestQuestion, ends: Ends): Promise<NearestLiterals>;
  /**
   * The strings that pass tests, and perhaps others. `withWordless`: also tells which terms the tests say nothing of. `undefined`: no
   * index tells. Not to be had in every dataset.
   */
  literalsWith?(tests: readonly WordTest[], ends: Ends, withWordless?: boolean): Promise<TestedStrings | undefined>;
  /**
   * All literals with keys in a range (model's order-key.ts), in no order, and perhaps others. They are shared: do not change them.
   * `undefined`: no index tells. Not to be had in every dataset, as what follows.
   */
  keysBetween?(range: KeyRange, ends: Ends): Promise<KeyedIds | undefined>;
  /** About how many literals have keys in a range, of all revisions; `undefined`: no index tells. */
  countKeys?(range: KeyRange): Promise<number | undefined>;
  /**
   * The key at which a part of a range ends that begins at its least key, or at its greatest one and goes down: about `rows` literals have
   * keys up to it. `null`: so many are not left; `undefined`: no index tells.
   */
  stepKeys?(range: KeyRange, rows: number, descending: boolean): Promise<number | null | undefined>;
  /** Whether all objects of a predicate have keys but for inline ones; `undefined`: no index tells. */
  areKeyed?(predicate: number, ends: Ends): Promise<boolean | undefined>;
  /** Cuts the quads of a predicate into parts by their objects, without reading anything. Not to be had in every dataset. */
  stepObjects?(step: ObjectStep): number | undefined;
}

/**
 * A part of the quads of a predicate, which begins at the object `from`. It ends at the object that {@link IdDataset.stepObjects}
 * returns, both included. It has about `rows` rows, or more where one object has more. With `undefined` it has all remaining
 * rows.
 */
export interface ObjectStep {
  /** The predicate. */
  readonly predicate: number;
  /** The first object. */
  readonly from: number;
  /** About how many rows the part has. */
  readonly rows: number;
  /** Whether the parts follow one another from the greatest object down. */
  readonly descending: boolean;
}

/** Columns of quads by ids. */
export interface IdQuads {
  /** Subjects. */
  readonly s: ArrayLike<number>;
  /** Predicates. */
  readonly p: ArrayLike<number>;
  /** Objects. */
  readonly o: ArrayLike<number>;
  /** Graphs. */
  readonly g: ArrayLike<number>;
  /** Number of quads. */
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
  /** Stages the removal of quads. */
  remove(quads: IdQuads): Promise<void>;
  /** Stages the removal of all quads that match. */
  removeMatches(pattern: IdPattern): Promise<void>;
}
