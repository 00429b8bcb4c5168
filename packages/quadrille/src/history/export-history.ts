/** Writes the history of a repository as RDF Patch, a transaction for each revision. Loaded with the first export. */
import type { ExportedRevision, Ref, Repository as CoreRepository, Snapshot } from '@quadrille/core';
import { patchRowText } from '@quadrille/formats/patch';
import { defaultGraph, InvalidArgumentError } from '@quadrille/model';
import type { ExportHistoryOptions } from '../api/index.js';
import { headerRow, headersOf, HISTORY_FORMAT, integerText, quoted, uuidIri } from './history-headers.js';
import { HashChain, loadSha256 } from './sha256.js';

const UUID_START = '<urn:uuid:'.length;
/** The length of one piece of the text, in characters, approximately. */
const PIECE = 64 * 1024;

/** Numbers of the revision after which an export begins, or 0, and of its last one. */
interface ExportRange {
  readonly after: number;
  readonly last: number;
}

/** The history up to revision `head`, as the options say. Reads one snapshot. */
export async function* exportHistory(
  core: CoreRepository,
  head: number,
  options: ExportHistoryOptions,
): AsyncGenerator<string> {
  const snapshot = await core.snapshotAt('HEAD');
  try {
    yield* historyText(core, snapshot, await rangeOf(core, head, options), options.signal);
  } finally {
    snapshot.close();
  }
}

async function rangeOf(core: CoreRepository, head: number, { from, to }: ExportHistoryOptions): Promise<ExportRange> {
  const numberOf = async (ref: Ref): Promise<number> => Math.min(head, (await core.resolve(ref)).number);
  const after = from === undefined ? 0 : await numberOf(from);
  const last = to === undefined ? head : await numberOf(to);
  if (after <= last) return { after, last };
  const problem = `revision ${String(after)} of from is after revision ${String(last)} of to`;
  throw new InvalidArgumentError('INVALID_OPTION', `exportHistory: ${problem}`, { details: { option: 'from' } });
}

/** Each row is a line, and each piece ends with one. */
async function* historyText(
  core: CoreRepository,
  snapshot: Snapshot,
  { after, last }: ExportRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const chain = new HashChain(await loadSha256());
  const names = await namesOf(core, last);
  const { exportRevisions } = await core.history.files();
  let piece = headerRow('history', quoted(HISTORY_FORMAT)) + headerRow('repository', quoted(core.name));
  /** Characters of the piece whose hash is known. */
  let hashed = 0;
  const close = (): void => {
    chain.update(hashed === 0 ? piece : piece.slice(hashed));
    piece += headerRow('sha256', `"${chain.next()}"`);
    hashed = piece.length;
  };
  let count = 0;
  for await (const revision of exportRevisions(snapshot, after + 1, last, signal)) {
    count++;
    for await (const rows of transactionOf(revision)) {
      piece += rows;
      if (piece.length < PIECE) continue;
      chain.update(piece.slice(hashed));
      yield piece;
      piece = '';
      hashed = 0;
    }
    close();
    snapshot.check();
  }
  const end = await core.resolve(last);
  piece += names + headerRow('head', uuidIri(end.id)) + headerRow('count', integerText(count));
  close();
  yield piece;
}

async function* transactionOf({ record, changes }: ExportedRevision): AsyncGenerator<string> {
  let rows = `${headersOf(record)}TX .\n`;
  for await (const { op, quads } of changes()) {
    const type = op === 'add' ? 'add' : 'delete';
    for (const quad of quads) {
      rows += patchRowText({ type, quad });
      if (rows.length < PIECE) continue;
      yield rows;
      rows = '';
    }
  }
  yield `${rows}TC .\n`;
}

const utf8 = new TextDecoder();

/** The namespaces of the repository, and the tags of revisions up to `last`: they have no revisions of their own. */
async function namesOf(core: CoreRepository, last: number): Promise<string> {
  let rows = '';
  for (const [name, iri] of await core.namespaces.list()) {
    rows += patchRowText({ type: 'add prefix', name, iri: utf8.decode(iri), graph: defaultGraph() });
  }
  for (const [name, id] of await core.tags.list()) {
    const uuid = uuidIri(id).slice(UUID_START, -1);
    if ((await core.resolve(uuid)).number <= last) rows += headerRow('tag', quoted(`${uuid} ${name}`));
  }
  return rows;
}
