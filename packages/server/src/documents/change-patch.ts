/** Revisions as RDF Patch: a transaction each. */
import { type Change, type DiffEntry, iri, literal, type Revision } from 'quadrille';
import { dateTime, integer } from './revision-records.js';
import { platform } from '../host/index.js';

/** Rows are joined to pieces of about this length, in characters. */
const PIECE = 16 * 1024;

/**
 * The transaction of a revision, in pieces that end with a row: headers, removals, additions. The headers `prev`, `author`, `message` and
 * `nonce` are left out where the revision has none.
 */
export async function* changePatch(change: Change, signal?: AbortSignal): AsyncGenerator<string> {
  const { patchRowText } = await import('@quadrille/formats/patch');
  const { revision } = change;
  let piece = headersOf(change)
    .map(([name, value]) => patchRowText({ type: 'header', name, value }))
    .join('');
  piece += patchRowText({ type: 'begin' });
  for (const op of operationsOf(revision)) {
    for await (const entry of change.quads({ ...(signal && { signal }) })) {
      if (entry.op !== op) continue;
      piece += patchRowText({ type: op === 'add' ? 'add' : 'delete', quad: entry.quad });
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  yield piece + patchRowText({ type: 'commit' });
}

const uuidIri = (id: string) => iri(`urn:uuid:${id}`);

function headersOf({ revision: { id, parent, number, time, author, message }, nonce }: Change) {
  return [
    ['id', uuidIri(id)] as const,
    ...(parent === undefined ? [] : [['prev', uuidIri(parent)] as const]),
    ['number', integer(number)] as const,
    ['time', dateTime(time)] as const,
    ...(author === undefined ? [] : [['author', literal(author)] as const]),
    ...(message === undefined ? [] : [['message', literal(message)] as const]),
    ...(nonce?.some((byte) => byte !== 0) === true ? [['nonce', literal(platform.toHex(nonce))] as const] : []),
  ];
}

/** The quads are read once for each kind of change that there is. */
function operationsOf({ added, removed }: Revision): readonly DiffEntry['op'][] {
  return [...(removed > 0 ? (['remove'] as const) : []), ...(added > 0 ? (['add'] as const) : [])];
}
