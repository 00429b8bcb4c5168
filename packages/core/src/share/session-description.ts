/**
 * What another thread needs to know of a snapshot in order to read it: the state that is in memory here. The thread
 * reads everything else from the storage. All values can be cloned or transferred.
 */
import type { RevisionRecord } from '../revision/record.js';

/** The state of a snapshot for another thread. */
export interface SessionDescription {
  /** The repository of the snapshot. */
  readonly repository: {
    /** Its number in keys. */
    readonly id: number;
    /** `account/repository`. */
    readonly name: string;
  };
  /** Sessions with the same number share ids, so the thread keeps its caches for them. */
  readonly timeline: number;
  /** Numbers of timelines that no later session names, unless it describes them anew. */
  readonly forgotten: readonly number[];
  /** The record of the revision that is read. */
  readonly record: RevisionRecord;
  /** The newest revision when the session was described. */
  readonly published: RevisionRecord;
  /** The state of the dictionary. */
  readonly dictionary: DictionaryDescription;
  /** The runs of all orders. */
  readonly runs: readonly RunDescription[];
  /** Oldest first. */
  readonly memtables: readonly MemtableDescription[];
  /** Pairs of a predicate and the number of its quads. */
  readonly predicates: Uint32Array;
}

export interface DictionaryDescription {
  readonly nextId: number;
  readonly blockMark: number;
  readonly seed: number;
  /** Another number means that term blocks were rewritten. */
  readonly blocks: number;
  /** Another number means that ids of terms were dropped. */
  readonly encoder: number;
  readonly hashRuns: readonly HashRunDescription[];
  /** The root of the index of order, as in the storage. Missing where it is not open. */
  readonly order: Uint8Array | undefined;
  readonly tail: TailDescription;
}

export interface HashRunDescription {
  readonly id: number;
  readonly entries: number;
  /** Missing if the thread has it. */
  readonly fences: Uint32Array | undefined;
}

/** Terms that are not in blocks yet. */
export interface TailDescription {
  /** Whether the thread forgets the terms that it has. */
  readonly anew: boolean;
  readonly ids: Uint32Array;
  /** Where the text of each term ends in `texts`. */
  readonly ends: Uint32Array;
  readonly texts: Uint8Array;
}

export interface RunDescription {
  /** As in the manifest. */
  readonly entry: Uint8Array;
  /** As in the storage. Missing if the thread has it. */
  readonly table: Uint8Array | undefined;
}

export interface MemtableDescription {
  readonly added: RowsDescription;
  readonly removed: RowsDescription;
}

/** Rows in memory. */
export interface RowsDescription {
  readonly rows: number;
  readonly hasNamedGraphs: boolean;
  /** s, p, o, g, from, to. Empty without rows. */
  readonly columns: readonly Uint32Array[];
  /** By the number of the order: sorted segments of row numbers. Empty without rows. */
  readonly segments: readonly (readonly Uint32Array[])[];
}

/** The memory of a description that is moved to the thread and not copied. */
export function transfersOf({ memtables, dictionary }: SessionDescription): ArrayBuffer[] {
  const rows = memtables.flatMap(({ added, removed }) => [added, removed]);
  const arrays = rows.flatMap(({ columns, segments }) => [...columns, ...segments.flat()]);
  return [...arrays, dictionary.tail.texts].map(({ buffer }) => buffer as ArrayBuffer);
}
