/**
 * Logs over objects. An entry is written at its position if no object is there.
 *
 * A position that was trimmed is free again, so a writer that was suspended could write there. Two rules prevent that its
 * entry counts. Fences, the entries without a body, are never deleted: the next position of a writer that was replaced
 * has a fence. And whoever appends its first entry looks afterwards whether the position is still live.
 */

import type { AppendOutcome, Change, Known, NewEntry } from '@quadrille/storage-shared';
import { inTurns, type Bucket } from './bucket.js';
import { decodeEntry, encodeEntry, entryKey, HEAD_BYTES, logFolder, positionOf, type ChainedEntry } from './entries.js';
import type { Roots, RootObject } from './roots.js';

/** Entries that are read at once. There is mostly none, or one. */
const BATCHES = [1, 4, 32] as const;
/** Most entries of an answer; and bytes after which it ends. */
const CHECK_ENTRIES = 256;
const CHECK_BYTES = 4 * 1024 * 1024;

interface Run {
  readonly entries: readonly ChainedEntry[];
  readonly more: boolean;
}

export class Logs {
  readonly #bucket: Bucket;
  readonly #roots: Roots;
  /** The last entry that was appended here for certain, by log. The next one needs no look at the one before. */
  readonly #last = new Map<number, { readonly position: number; readonly id: string }>();

  constructor(bucket: Bucket, roots: Roots) {
    this.#bucket = bucket;
    this.#roots = roots;
  }

  async append(entry: NewEntry): Promise<AppendOutcome> {
    const { log, position, id, previous } = entry;
    const last = this.#last.get(log);
    const follows = last !== undefined && last.position === position - 1 && last.id === previous;
    if (!follows) {
      const refused = await this.#refused(entry);
      if (refused !== undefined) return refused;
    }
    const outcome = await this.#bucket.putIf(entryKey(log, position), encodeEntry(entry), { absent: true });
    this.#last.delete(log);
    if (outcome.is === 'unknown') return 'unknown';
    try {
      const there = outcome.is === 'ok' ? id : (await this.#head(log, position))?.id;
      // The entry that was there a moment ago has been trimmed.
      if (there === undefined) return 'unknown';
      if (there !== id) return 'taken';
      if (!follows && (await this.#roots.read(log)).first > position) return 'gone';
    } catch {
      return 'unknown';
    }
    this.#last.set(log, { position, id });
    return 'ok';
  }

  /** What is new in a log; `undefined`: nothing. */
  async check({ log, after, id, rootVersion }: Known): Promise<Change | undefined> {
    let from = after;
    for (;;) {
      const [run, known] = await Promise.all([
        this.#behind(log, from),
        id === undefined || from !== after ? undefined : this.#head(log, after),
      ]);
      // It is read last, so what was read before is live if the root says so, and the root is not older than entries.
      const root = await this.#roots.read(log);
      if (root.first > from + 1) {
        from = root.first - 1;
        continue;
      }
      return changeOf({ log, after, id, rootVersion }, run, root, known?.id, from === after);
    }
  }

  /** Deletes the entries before a position, but neither the last one nor fences. */
  async trim(log: number, before: number): Promise<void> {
    const found: { readonly position: number; readonly bytes: number }[] = [];
    for await (const { objects } of this.#bucket.list(logFolder(log))) {
      for (const { key, bytes } of objects) {
        const position = positionOf(log, key);
        if (!Number.isNaN(position)) found.push({ position, bytes });
      }
    }
    const end = found.at(-1)?.position;
    if (end === undefined || !(await this.#roots.raiseFirst(log, Math.min(before, end)))) return;
    const { first } = await this.#roots.read(log);
    const dead = found.filter(({ position, bytes }) => position < first && bytes > HEAD_BYTES);
    await this.#bucket.delete(dead.map(({ position }) => entryKey(log, position)));
  }

  /** Why an entry cannot be appended, or that it is there; `undefined`: it can. */
  async #refused({ log, position, id, previous }: NewEntry): Promise<AppendOutcome | undefined> {
    const [{ first }, there, before] = await Promise.all([
      this.#roots.read(log),
      this.#head(log, position),
      position > 1 ? this.#head(log, position - 1) : undefined,
    ]);
    if (position < first) return 'gone';
    if (there !== undefined && there.id !== id) return 'taken';
    // Whether its position is live is seen after the write, which finds it.
    if (there !== undefined || position === 1) return undefined;
    if (before === undefined) return 'gone';
    return before.id === previous ? undefined : 'taken';
  }

  /** The entries behind a position, up to the first gap. */
  async #behind(log: number, after: number): Promise<Run> {
    const entries: ChainedEntry[] = [];
    if (after >= Number.MAX_SAFE_INTEGER - 1) return { entries, more: false };
    let bytes = 0;
    for (let batch = 0; ; batch++) {
      const count = BATCHES[Math.min(batch, BATCHES.length - 1)]!;
      const first = after + entries.length + 1;
      const positions = Array.from({ length: count }, (_, i) => first + i);
      const found = await inTurns(positions, (position) => this.#entry(log, position));
      const gap = found.indexOf(undefined);
      const some = (gap < 0 ? found : found.slice(0, gap)) as ChainedEntry[];
      for (const entry of some) {
        entries.push(entry);
        bytes += entry.body.length;
      }
      if (gap >= 0) return { entries, more: false };
      if (bytes >= CHECK_BYTES || entries.length >= CHECK_ENTRIES) return { entries, more: true };
    }
  }

  async #entry(log: number, position: number): Promise<ChainedEntry | undefined> {
    const found = await this.#bucket.get(entryKey(log, position));
    return found.is === 'there' ? decodeEntry(log, position, found.bytes) : undefined;
  }

  /** An entry without its body. */
  async #head(log: number, position: number): Promise<ChainedEntry | undefined> {
    if (position < 1 || position >= Number.MAX_SAFE_INTEGER - 1) return undefined;
    const bytes = await this.#bucket.getPart(entryKey(log, position), 0, HEAD_BYTES);
    return bytes === undefined ? undefined : decodeEntry(log, position, bytes);
  }
}

/** @param isNext whether the run begins behind the known entry, because nothing there was trimmed */
function changeOf(
  { log, after, id, rootVersion }: Known,
  { entries, more }: Run,
  root: RootObject,
  knownId: string | undefined,
  isNext: boolean,
): Change | undefined {
  // Entries before the first live one were trimmed. They are missing, but not lost.
  const trimmed = !isNext || after < root.first;
  let lost = id !== undefined && !trimmed && knownId !== id;
  const broken = entries.findIndex(({ previous }, i) => {
    const before = i === 0 ? (isNext ? id : undefined) : entries[i - 1]!.id;
    return before !== undefined && previous !== before;
  });
  if (broken >= 0) lost = true;
  const newRoot =
    root.version === rootVersion || root.version === 0 ? undefined : { version: root.version, body: root.body };
  if (entries.length === 0 && newRoot === undefined && !lost) return undefined;
  return { log, entries, more, root: newRoot, lost };
}
