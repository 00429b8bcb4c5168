/** Writes the history of a repository as RDF Patch, a transaction for each revision. Loaded with the first export. */
import type { BranchSection, ExportedRevision, Ref, Repository as CoreRepository } from '@quadrille/core';
import { patchRowText } from '@quadrille/formats/patch';
import { defaultGraph, InvalidArgumentError } from '@quadrille/model';
import type { ExportHistoryOptions } from '../api/index.js';
import {
  BRANCHES_FORMAT,
  headerRow,
  headersOf,
  HISTORY_FORMAT,
  integerText,
  quoted,
  uuidIri,
  uuidOf,
} from './history-headers.js';
import { HashChain, loadSha256 } from './sha256.js';

/** The length of one piece of the text, in characters, approximately. */
const PIECE = 64 * 1024;

/** Numbers of the revision after which an export begins, or 0, and of its last one. */
interface ExportRange {
  readonly after: number;
  readonly last: number;
}

/** The history up to revision `head`, as the options say. Reads one snapshot of each branch. */
export async function* exportHistory(
  core: CoreRepository,
  head: number,
  options: ExportHistoryOptions,
): AsyncGenerator<string> {
  if (options.branches === 'all') return yield* exportBranches(core, options);
  const range = await rangeOf(core, head, options);
  const file = new HistoryText(core.name, HISTORY_FORMAT, await loadSha256(), options.signal);
  const has = async (id: Uint8Array): Promise<boolean> => (await numberOf(core, id)) <= range.last;
  yield* file.section(core, range);
  yield* file.end(core, range.last, has);
}

async function* exportBranches(core: CoreRepository, options: ExportHistoryOptions): AsyncGenerator<string> {
  const option = options.since === undefined ? 'to' : 'since';
  if (options[option] !== undefined)
    throw new InvalidArgumentError('INVALID_OPTION', `exportHistory: ${option} cannot be given for all branches`, {
      details: { option },
    });
  const lines = await core.lines();
  const main = lines.root;
  await main.ready();
  const last = main.head.number;
  const { branchSections } = await core.history.files();
  const { sections, has } = await branchSections(lines, last);
  const file = new HistoryText(core.name, BRANCHES_FORMAT, await loadSha256(), options.signal);
  yield* file.section(main, { after: 0, last });
  for (const section of sections) {
    file.beginBranch(section);
    yield* file.section(section.on, { after: section.base.number, last: section.last });
  }
  yield* file.end(main, last, has);
}

async function rangeOf(core: CoreRepository, head: number, { since, to }: ExportHistoryOptions): Promise<ExportRange> {
  const numberOfRef = async (ref: Ref): Promise<number> => Math.min(head, (await core.resolve(ref)).number);
  const after = since === undefined ? 0 : await numberOfRef(since);
  const last = to === undefined ? head : await numberOfRef(to);
  if (after <= last) return { after, last };
  const problem = `revision ${String(after)} of since is after revision ${String(last)} of to`;
  throw new InvalidArgumentError('INVALID_OPTION', `exportHistory: ${problem}`, { details: { option: 'since' } });
}

/** The number of a revision on a branch; infinite if another branch has it. */
async function numberOf(core: CoreRepository, id: Uint8Array): Promise<number> {
  const record = await core.locate(uuidOf(id));
  return core.ownerOf(record) === core ? record.number : Number.POSITIVE_INFINITY;
}

/** The text of a history file. Each row is a line, and each piece ends with one. */
class HistoryText {
  readonly #chain: HashChain;
  #piece: string;
  /** Characters of the piece whose hash is known. */
  #hashed = 0;
  #count = 0;

  constructor(
    name: string,
    format: string,
    createHash: ConstructorParameters<typeof HashChain>[0],
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#chain = new HashChain(createHash);
    this.#piece = headerRow('history', quoted(format)) + headerRow('repository', quoted(name));
  }

  /** Revisions of one branch, a transaction each. */
  async *section(core: CoreRepository, { after, last }: ExportRange): AsyncGenerator<string> {
    const snapshot = await core.snapshotAt('HEAD');
    try {
      const { exportRevisions } = await core.history.files();
      for await (const revision of exportRevisions(snapshot, after + 1, last, this.signal)) {
        this.#count++;
        for await (const rows of transactionOf(revision)) {
          this.#piece += rows;
          if (this.#piece.length < PIECE) continue;
          this.#chain.update(this.#piece.slice(this.#hashed));
          yield this.#take();
        }
        this.#close();
        snapshot.check();
      }
    } finally {
      snapshot.close();
    }
  }

  /** The section of a branch follows. */
  beginBranch({ name, base, shared }: BranchSection<CoreRepository>): void {
    this.#piece += headerRow('branch', quoted(name)) + headerRow('base', uuidIri(base.id));
    if (shared !== undefined)
      this.#piece += headerRow('shared', quoted(shared.name)) + headerRow('until', integerText(shared.until));
    this.#close();
  }

  /** The last part: names, then what the file has to hold. */
  async *end(core: CoreRepository, last: number, has: (id: Uint8Array) => Promise<boolean>): AsyncGenerator<string> {
    const { id } = await core.resolve(last);
    this.#piece += await namesOf(core, has);
    this.#piece += headerRow('head', uuidIri(id)) + headerRow('count', integerText(this.#count));
    this.#close();
    yield this.#take();
  }

  #close(): void {
    this.#chain.update(this.#hashed === 0 ? this.#piece : this.#piece.slice(this.#hashed));
    this.#piece += headerRow('sha256', `"${this.#chain.next()}"`);
    this.#hashed = this.#piece.length;
  }

  #take(): string {
    const piece = this.#piece;
    this.#piece = '';
    this.#hashed = 0;
    return piece;
  }
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

/** The namespaces of the repository, and the tags of revisions that the file has: they have no revisions of their own. */
async function namesOf(core: CoreRepository, has: (id: Uint8Array) => Promise<boolean>): Promise<string> {
  let rows = '';
  for (const [name, iri] of await core.namespaces.list()) {
    rows += patchRowText({ type: 'add prefix', name, iri: utf8.decode(iri), graph: defaultGraph() });
  }
  for (const [name, id] of await core.tags.list())
    if (await has(id)) rows += headerRow('tag', quoted(`${uuidOf(id)} ${name}`));
  return rows;
}
