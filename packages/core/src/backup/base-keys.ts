/** The records of earlier backups that a backup can use again, found by key. */
import { compareBytes } from '@quadrille/storage';
import type { Bytes } from '@quadrille/storage';
import { readU32 } from '../format/layout.js';
import { isFinal } from './facts.js';
import type { RepositoryFacts } from './facts.js';
import type { RecordSpan, SegmentEntry } from './manifest.js';
import type { SegmentIndex } from './segment-reader.js';
import { keyAt, recordBytes } from './segment-reader.js';

/** A large segment with fewer usable bytes than this share is not used any more: what is needed of it is copied anew. */
const LEAST_USED_SHARE = 0.5;
/** Segments below this size are small. */
const SMALL_BYTES = 4 * 1024 * 1024;
/** Largest number of small segments. If there are more, what is still needed of them is copied into new ones. */
const MOST_SMALL = 16;

const NUMBER_AT = 1;

export class BaseSegment {
  /** 1 for each record that may be used again. */
  readonly #usable: Uint8Array;
  /** 1 for each record that the new backup uses. */
  readonly #used: Uint8Array;
  usedRecords = 0;

  constructor(
    readonly entry: SegmentEntry,
    readonly index: SegmentIndex,
    /** The facts of the repositories whose data have not been rewritten since. */
    facts: ReadonlyMap<number, RepositoryFacts>,
  ) {
    this.#usable = new Uint8Array(index.count);
    this.#used = new Uint8Array(index.count);
    let id = -1;
    let own: RepositoryFacts | undefined;
    for (const [first, count] of entry.live ?? [[0, index.count] as const]) {
      for (let at = first; at < first + count; at++) {
        const key = keyAt(index, at);
        const number = key.length > 5 ? readU32(key, NUMBER_AT) : 0;
        if (number !== id) [id, own] = [number, facts.get(number)];
        if (own !== undefined && isFinal(key, own)) this.#usable[at] = 1;
      }
    }
  }

  isUsable(at: number): boolean {
    return this.#usable[at] === 1;
  }

  use(at: number): void {
    if (this.#used[at] === 1) return;
    this.#used[at] = 1;
    this.usedRecords++;
  }

  /** Share of the bytes of the records that may be used again. */
  get usableShare(): number {
    let usable = 0;
    let all = 0;
    for (let at = 0; at < this.index.count; at++) {
      const bytes = recordBytes(this.index, at);
      all += bytes;
      if (this.#usable[at] === 1) usable += bytes;
    }
    return all === 0 ? 0 : usable / all;
  }

  /** The entry of the segment in the new manifest. */
  usedEntry(): SegmentEntry {
    const spans: RecordSpan[] = [];
    const used = this.#used;
    for (let at = 0; at < used.length; at++) {
      if (used[at] === 0) continue;
      const first = at;
      while (at < used.length && used[at] === 1) at++;
      spans.push([first, at - first]);
    }
    const { live: _, ...entry } = this.entry;
    return this.usedRecords === entry.records ? entry : { ...entry, live: spans };
  }
}

/** Leaves out segments of which little is still needed, and small ones if there are many. */
export function worthKeeping(segments: readonly BaseSegment[]): BaseSegment[] {
  const small = segments.filter(({ entry }) => entry.bytes < SMALL_BYTES);
  const crowded = small.length > MOST_SMALL;
  return segments.filter((segment) => (small.includes(segment) ? !crowded : segment.usableShare >= LEAST_USED_SHARE));
}

/** Finds keys that are asked for in ascending order. */
export class BaseCursor {
  readonly #places: Uint32Array;

  constructor(private readonly segments: readonly BaseSegment[]) {
    this.#places = new Uint32Array(segments.length);
  }

  /** The record of a key that may be used again. */
  find(key: Bytes): { readonly segment: BaseSegment; readonly at: number } | undefined {
    for (const [i, segment] of this.segments.entries()) {
      const { index } = segment;
      let at = this.#places[i]!;
      // A driver may ask for an earlier key again.
      if (at > 0 && compareBytes(keyAt(index, at - 1), key) >= 0) at = firstNotBelow(index, key);
      while (at < index.count && compareBytes(keyAt(index, at), key) < 0) at++;
      this.#places[i] = at;
      if (at < index.count && segment.isUsable(at) && compareBytes(keyAt(index, at), key) === 0) return { segment, at };
    }
    return undefined;
  }
}

function firstNotBelow(index: SegmentIndex, key: Bytes): number {
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(keyAt(index, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
