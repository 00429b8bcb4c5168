/**
 * The root of each log, as one object that is replaced if it is unchanged. It also has the first live position of the
 * log: entries before it count no longer, and are deleted after it has been raised.
 */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { Bucket, Condition } from './bucket.js';

export interface RootObject {
  /** Number of replacements of the body; 0: there was none. */
  readonly version: number;
  /** UUID of the replacement that wrote the body. */
  readonly write: string;
  /** The first live position. */
  readonly first: number;
  readonly body: Bytes;
}

const NONE: RootObject = { version: 0, write: '', first: 1, body: new Uint8Array(0) };
/** Attempts to replace an object while the outcome is unknown. */
const ATTEMPTS = 8;

interface Held {
  readonly root: RootObject;
  /** `undefined`: there is no object. */
  readonly etag: string | undefined;
}

export class Roots {
  readonly #bucket: Bucket;
  readonly #held = new Map<number, Held>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  /** The present root of a log. */
  async read(log: number): Promise<RootObject> {
    return (await this.#read(log)).root;
  }

  /** Replaces the body, if its version is still `version`. */
  async replace(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict' | 'unknown'> {
    const write = crypto.randomUUID();
    return this.#change(log, (root) => {
      if (root.write === write) return 'ok';
      return root.version === version ? { ...root, version: version + 1, write, body } : 'conflict';
    });
  }

  /** Raises the first live position. Returns false if that is not known to have happened. */
  async raiseFirst(log: number, first: number): Promise<boolean> {
    return (await this.#change(log, (root) => (root.first >= first ? 'ok' : { ...root, first }))) === 'ok';
  }

  /** Replaces the object until `next` says how it has ended. */
  async #change<End extends 'ok' | 'conflict'>(
    log: number,
    next: (root: RootObject) => RootObject | End,
  ): Promise<End | 'ok' | 'unknown'> {
    let held = this.#held.get(log) ?? (await this.#read(log));
    // What is held may be old. Only a root that was just read ends it.
    if (typeof next(held.root) === 'string') held = await this.#read(log);
    let doubtful = false;
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const root = next(held.root);
        // Another server may have replaced what this one is not sure to have written.
        if (typeof root === 'string') return doubtful && root === 'conflict' ? 'unknown' : root;
        const condition: Condition = held.etag === undefined ? { absent: true } : { etag: held.etag };
        const outcome = await this.#bucket.putIf(keyOf(log), encodeRootObject(root), condition);
        if (outcome.is === 'ok') {
          this.#held.set(log, { root, etag: outcome.etag });
          return 'ok';
        }
        if (outcome.is === 'unknown') {
          doubtful = true;
          await this.#bucket.pause(attempt);
        }
        held = await this.#read(log);
      }
    } catch (error) {
      if (!doubtful) throw error;
    }
    return 'unknown';
  }

  async #read(log: number): Promise<Held> {
    const before = this.#held.get(log);
    const found = await this.#bucket.get(keyOf(log), before?.etag);
    if (found.is === 'known') return before!;
    const held: Held =
      found.is === 'absent'
        ? { root: NONE, etag: undefined }
        : { root: decodeRootObject(log, found.bytes), etag: found.etag };
    this.#held.set(log, held);
    return held;
  }
}

const keyOf = (log: number): string => `${log}/root`;

/** A line of JSON, and the body. The nonce makes the ETags of all roots different. */
export function encodeRootObject({ body, ...head }: RootObject): Bytes {
  const line = new TextEncoder().encode(`${JSON.stringify({ form: 1, ...head, nonce: crypto.randomUUID() })}\n`);
  const bytes = new Uint8Array(line.length + body.length);
  bytes.set(line);
  bytes.set(body, line.length);
  return bytes;
}

function decodeRootObject(log: number, bytes: Bytes): RootObject {
  const end = bytes.indexOf(10);
  try {
    const { form, version, write, first } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Record<
      string,
      unknown
    >;
    if (form === 1 && Number.isSafeInteger(version) && Number.isSafeInteger(first) && typeof write === 'string') {
      return { version: version as number, write, first: first as number, body: bytes.subarray(end + 1) };
    }
  } catch {
    // Reported below.
  }
  throw new CorruptionError('LOG_BROKEN', `The object ${keyOf(log)} is damaged, or a newer version has written it.`);
}
