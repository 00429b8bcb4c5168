/** Describes snapshots for one other thread. Remembers what the thread has, so that nothing large is sent twice. */
import type { Dictionary } from '../dictionary/dictionary.js';
import { ByteWriter } from '../format/byte-codec.js';
import type { RowTable } from '../index/memtable/row-table.js';
import { ORDERS } from '../index/orders.js';
import type { Run } from '../index/run/run.js';
import { encodeBlockTable, writeRunEntry } from '../index/run/run.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Snapshot } from '../read/snapshot.js';
import { withoutDelta } from '../revision/record.js';
import { KEPT_REPLICAS } from './kept-replicas.js';
import type {
  DictionaryDescription,
  MemtableDescription,
  RowsDescription,
  RunDescription,
  SessionDescription,
  TailDescription,
} from './session-description.js';

/** Bytes of rows and terms in memory that may be copied for a session. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes of a row: six columns, and a number in each of four orders. */
const ROW_BYTES = (6 + ORDERS.length) * 4;
const MOST_PREDICATES = 16_384;

/** The parts of a timeline that the thread has. */
class KnownTimeline {
  readonly runs = new Set<number>();
  readonly hashRuns = new Set<number>();
  tail: Dictionary['tail'] | undefined;
  /** Number of terms of that tail. */
  tailTerms = 0;
}

/** A snapshot for another thread. */
export interface DescribedSession {
  /** The description, which the thread opens. */
  readonly session: SessionDescription;
  /** Lets go of what the thread reads. */
  readonly release: () => void;
}

/** Describes snapshots of one repository for other threads. It leaves out what they have. */
export class SessionDescriber {
  /** By number. The timeline described last comes last. */
  readonly #known = new Map<number, KnownTimeline>();

  /**
   * Describes a snapshot that is {@link isShareable}. The caller calls `release` when the thread has read it. If the
   * description is not sent, the thread must be ended.
   */
  describe(snapshot: Snapshot): DescribedSession {
    const { timeline, index } = snapshot;
    const { keyspace, statistics } = timeline;
    const number = numberOf(timeline);
    const known = this.#known.get(number) ?? new KnownTimeline();
    const order = timeline.dictionary.orderIndex?.share?.();
    const release = hold(snapshot, order?.release);
    const session: SessionDescription = {
      repository: { id: keyspace.id, name: keyspace.name },
      timeline: number,
      forgotten: this.#use(number, known),
      record: withoutDelta(snapshot.record),
      published: withoutDelta(timeline.published),
      dictionary: describeDictionary(timeline, known, order?.root),
      runs: describeRuns(index.runs, known),
      memtables: index.memtables.map(({ added, removed }): MemtableDescription => ({
        added: describeRows(added),
        removed: describeRows(removed),
      })),
      predicates: Uint32Array.from([...statistics.predicates].flat()),
    };
    return { session, release };
  }

  /** Makes a timeline the one used last. Returns those that the thread is to forget. */
  #use(number: number, known: KnownTimeline): number[] {
    this.#known.delete(number);
    this.#known.set(number, known);
    const forgotten = [...this.#known.keys()].slice(0, Math.max(0, this.#known.size - KEPT_REPLICAS));
    for (const each of forgotten) this.#known.delete(each);
    return forgotten;
  }
}

/** Opens what {@link SessionDescriber.describe} describes only where it is open. */
export async function openIndexes({ timeline: { dictionary } }: Snapshot): Promise<void> {
  if (dictionary.orderIndex !== undefined) return;
  const { OrderIndex } = await import('../values/order-index.js');
  await OrderIndex.open(dictionary);
}

/** Keeps what a thread reads of a snapshot in the storage, also when the snapshot is closed, until the result is called. */
function hold({ index, timeline }: Snapshot, releaseOrder: (() => void) | undefined): () => void {
  const { held, root } = timeline.dictionary;
  const runs = [...root.runs];
  held.add(runs);
  index.retain();
  timeline.users.enter();
  return () => {
    held.delete(runs);
    releaseOrder?.();
    index.release();
    timeline.users.leave();
  };
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number that stands for an object in other threads. */
function numberOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++lastNumber));
  return number;
}

/** Whether so little of the state of a snapshot is in memory that it can be copied. */
export function isShareable({ index, timeline }: Snapshot): boolean {
  // A description has the runs and rows of one line.
  if (timeline.base !== undefined) return false;
  const rows = index.memtables.reduce((sum, memtable) => sum + memtable.rows, 0);
  const bytes = rows * ROW_BYTES + timeline.dictionary.tail.bytes;
  return bytes <= MOST_BYTES && timeline.statistics.predicates.size <= MOST_PREDICATES;
}

function describeDictionary(
  { dictionary, encoder }: Timeline,
  known: KnownTimeline,
  order: Uint8Array | undefined,
): DictionaryDescription {
  const { nextId, blockMark, seed, runs } = dictionary.root;
  const hashRuns = runs.map(({ entry: { id, entries, fences } }) => ({
    id,
    entries,
    fences: known.hashRuns.has(id) ? undefined : fences.slice(),
  }));
  known.hashRuns.clear();
  for (const { id } of hashRuns) known.hashRuns.add(id);
  const tail = describeTail(dictionary, known);
  return { nextId, blockMark, seed, blocks: dictionary.blocks.id, encoder: numberOf(encoder), hashRuns, order, tail };
}

function describeTail({ tail, tailIds }: Dictionary, known: KnownTimeline): TailDescription {
  const anew = known.tail !== tail;
  const first = anew ? 0 : known.tailTerms;
  known.tail = tail;
  known.tailTerms = tail.size;
  const ends = new Uint32Array(tail.size - first);
  let length = 0;
  for (let i = 0; i < ends.length; i++) ends[i] = length += tail.lengthOf(first + i);
  const texts = new Uint8Array(length);
  for (let i = 0, at = 0; i < ends.length; at = ends[i++]!) texts.set(tail.text(first + i), at);
  return { anew, ids: Uint32Array.from(tailIds.slice(first)), ends, texts };
}

function describeRuns(runs: readonly Run[], known: KnownTimeline): RunDescription[] {
  const described = runs.map(({ entry, table }): RunDescription => {
    const writer = new ByteWriter(32);
    writeRunEntry(writer, entry);
    return { entry: writer.finish().slice(), table: known.runs.has(entry.id) ? undefined : encodeBlockTable(table) };
  });
  known.runs.clear();
  for (const { entry } of runs) known.runs.add(entry.id);
  return described;
}

// Sorts the newest rows here, so that no thread sorts them for itself.
function describeRows(table: RowTable): RowsDescription {
  const { rows, hasNamedGraphs } = table;
  if (rows === 0) return { rows, hasNamedGraphs, columns: [], segments: [] };
  const segments = ORDERS.map((order) => table.segments(order).map((segment) => segment.slice()));
  return { rows, hasNamedGraphs, columns: table.columns.map((column) => column.slice(0, rows)), segments };
}
