/** What the timelines of all lines of a repository share: the terms, what writes, and the error of a failed write. */
import type { Dictionary } from '../dictionary/dictionary.js';
import { termCacheLimit } from '../dictionary/term-cache.js';
import { TermDecoder } from '../dictionary/term-decoder.js';
import { TermEncoder } from '../dictionary/term-encoder.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Env } from '../runtime/env.js';
import { Gate } from '../runtime/gate.js';
import { GroupWriter } from './group-writer.js';

/** Bytes of decoded terms for each byte of the block cache. */
const TERM_SHARE = 1.5;

export class SharedState {
  /** The changes under way that hold ids. What they refer to is removed only while there are none. */
  readonly changes = new Gate();
  readonly decoder: TermDecoder;
  readonly writer: GroupWriter;
  encoder: TermEncoder;

  constructor(
    { keyspace, env }: { readonly keyspace: Keyspace; readonly env: Env },
    readonly dictionary: Dictionary,
    termMark: number,
  ) {
    this.encoder = new TermEncoder(dictionary);
    const cachedBytes = Math.min(keyspace.cache.capacityBytes * TERM_SHARE, termCacheLimit.bytes);
    this.decoder = new TermDecoder(dictionary, cachedBytes, env);
    this.writer = new GroupWriter(env, termMark);
  }

  /** The error of a failed write of any line. */
  get failure(): unknown {
    return this.dictionary.failure;
  }

  set failure(error: unknown) {
    this.dictionary.failure = error;
  }
}
