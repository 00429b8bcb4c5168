/** Answers within a budget of bytes, and cursors that continue them at the same revision. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Schema } from './input.js';
import { ToolError } from './tool-error.js';

export const DEFAULT_BYTES = 16 * 1024;
const LEAST_BYTES = 512;
const MOST_BYTES = 1024 * 1024;

/** The inputs of every tool whose answer may be long. */
export const PAGING = {
  maxBytes: {
    type: 'integer',
    minimum: LEAST_BYTES,
    maximum: MOST_BYTES,
    description: 'Largest size of the answer in bytes. Default 16384.',
  },
  cursor: { type: 'string', description: 'From an answer with hasMore: the same call goes on there.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** Where a list goes on. */
export interface Position {
  /** The id of the revision that all pages read. */
  readonly revision: string;
  readonly offset: number;
}

/** Cursors of one session: they say what was asked, and nobody can alter them unseen. */
export class Cursors {
  /** @param secret what only the session knows */
  constructor(private readonly secret: string) {}

  encode(asked: unknown, { revision, offset }: Position): string {
    const body = `${revision} ${String(offset)}`;
    return Buffer.from(`${body} ${this.#sign(asked, body)}`).toString('base64url');
  }

  /** @throws ToolError where it is of another question or session, or was altered */
  decode(asked: unknown, cursor: string): Position {
    const [revision = '', offset = '', sign = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
    const expected = this.#sign(asked, `${revision} ${offset}`);
    const isSame = sign.length === expected.length && timingSafeEqual(Buffer.from(sign), Buffer.from(expected));
    if (!isSame) throw new ToolError('the cursor is of another question or session, or was altered: ask without it');
    return { revision, offset: Number(offset) };
  }

  #sign(asked: unknown, body: string): string {
    const question = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
    return createHmac('sha256', this.secret).update(`${question} ${body}`).digest('base64url').slice(0, 22);
  }
}

/** As many items as fit into a budget, after what else the answer has. */
export class Page<T> {
  readonly items: T[] = [];
  /** Whether an item did not fit. */
  isFull = false;
  #left: number;

  constructor(maxBytes: number, others: object) {
    // A cursor and the members around it.
    this.#left = maxBytes - Buffer.byteLength(JSON.stringify(others)) - 256;
  }

  /** Whether the item was taken. An item that would not fit alone is cut by the caller first. */
  add(item: T): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > this.#left) this.isFull = true;
    if (this.isFull) return false;
    this.#left -= bytes;
    this.items.push(item);
    return true;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#left;
  }
}

/** The beginning of a text, of at most `bytes` bytes. */
export function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const kept = Buffer.from(text).subarray(0, bytes - 4);
  return `${new TextDecoder().decode(kept, { stream: true })}…`;
}
