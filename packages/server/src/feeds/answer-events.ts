/** The changes of an answer as server-sent events. */
import { createResultSerializer } from '@quadrille/formats';
import { publicError } from '../host/index.js';
import type { LiveUpdate, Revision, Row } from 'quadrille';

const SPARQL_JSON = 'application/sparql-results+json';
const ROWS_AT_ONCE = 256;
/** Shorter events are one piece. */
const PIECE_CHARACTERS = 64 * 1024;

export interface AnswerEventOptions {
  /** The revision from which the client resumes; `undefined` for one that begins. */
  readonly since: Revision | undefined;
  /** Most events. */
  readonly limit: number;
}

/**
 * The text of the events, in pieces that end with a line. A piece that ends an event ends with a blank line. An error after the first
 * answer is the event `problem`, the last one.
 */
export async function* answerEvents(
  updates: AsyncIterable<LiveUpdate>,
  { since, limit }: AnswerEventOptions,
): AsyncGenerator<string> {
  // No event, but the id from which a client resumes that is cut off before the first one.
  if (since !== undefined) yield `id: ${since.id}\n\n`;
  let left = limit;
  if (left === 0) return;
  try {
    for await (const update of updates) {
      yield* piecesOf(eventLines(update));
      if (--left === 0) return;
    }
  } catch (error) {
    const { code, message } = publicError(error);
    yield `event: problem\ndata: ${JSON.stringify({ error: message, code })}\n\n`;
  }
}

function* piecesOf(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* eventLines({ revision, path, variables, added, removed }: LiveUpdate): Generator<string> {
  yield `id: ${revision.id}\nevent: answer\ndata: {"revision": "${revision.id}", "path": "${path}", "variables": ${JSON.stringify(variables)}, "added": [`;
  yield* bindings(variables, added);
  yield '], "removed": [';
  yield* bindings(variables, removed);
  yield ']}\n\n';
}

/** The members of `bindings` of SPARQL results, each on a line of data: the text of terms contains no line breaks. */
function* bindings(variables: readonly string[], rows: readonly Row[]): Generator<string> {
  const serializer = createResultSerializer(SPARQL_JSON);
  serializer.head(variables);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    yield serializer.rows(rows.slice(at, at + ROWS_AT_ONCE)).replaceAll('\n', '\ndata: ');
}
