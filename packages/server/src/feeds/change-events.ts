/** Changes as server-sent events. */
import type { Change, Revision } from 'quadrille';
import { changePatch } from '../documents/change-patch.js';
import { platform } from '../host/index.js';

/** A longer patch is told by its address, because clients hold an event as a whole. */
export const EVENT_BYTES = 1_000_000;
/** A longer patch is written a second time while it is sent: a thousand feeds may send the same one. */
const HELD_CHARACTERS = 64 * 1024;

export interface EventOptions {
  /** The revision after which the feed begins. */
  readonly since: Revision;
  /** Most revisions. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** The address of the patch of a revision. */
  linkOf(revision: Revision): string;
}

/**
 * The text of the events, in pieces that end with a line. A piece that ends an event ends with a blank line. The first one is no event, but sets
 * the id from which a client resumes that is cut off before the first revision.
 */
export async function* changeEvents(changes: AsyncIterable<Change>, options: EventOptions): AsyncGenerator<string> {
  yield `id: ${options.since.id}\n\n`;
  let left = options.limit;
  if (left === 0) return;
  for await (const change of changes) {
    yield* eventOf(change, options);
    if (--left === 0) return;
  }
}

async function* eventOf(change: Change, { signal, linkOf }: EventOptions): AsyncGenerator<string> {
  const { revision } = change;
  const patch = await beginningOf(change, signal);
  if (patch === 'long') {
    yield `id: ${revision.id}\nevent: revision-link\ndata: ${linkOf(revision)}\n\n`;
    return;
  }
  const head = `id: ${revision.id}\nevent: revision\n`;
  if (patch !== 'medium') {
    yield `${head}${dataLines(patch)}\n`;
    return;
  }
  yield head;
  for await (const piece of changePatch(change, signal)) yield dataLines(piece);
  yield '\n';
}

/** The whole patch where it is short; else its length by kind. */
async function beginningOf(change: Change, signal: AbortSignal): Promise<string | 'medium' | 'long'> {
  let [text, bytes] = ['', 0];
  let isShort = true;
  for await (const piece of changePatch(change, signal)) {
    bytes += platform.byteLength(piece);
    if (bytes > EVENT_BYTES) return 'long';
    isShort &&= text.length + piece.length <= HELD_CHARACTERS;
    text = isShort ? text + piece : '';
  }
  return isShort ? text : 'medium';
}

/** A line of data for each row. Rows contain no line breaks of server-sent events: literals escape them. */
const dataLines = (rows: string): string => `data: ${rows.slice(0, -1).replaceAll('\n', '\ndata: ')}\n`;
