/** Applies RDF Patch. Loaded with the first patch. */
import type { PatchRows, Repository as CoreRepository, Revision } from '@quadrille/core';
import { createPatchParser, loadScanner, SCANNED_BYTES } from '@quadrille/formats/patch';
import type { PatchMark, PatchSink } from '@quadrille/formats/patch';
import {
  bytesToTerm,
  ConflictError,
  DEFAULT_GRAPH_HANDLE,
  EvaluationError,
  ParseError,
  type TermHandle,
} from '@quadrille/model';
import type { LoadSource, Namespaces } from '../api/index.js';
import type { HostPatchOptions } from '../host/host-types.js';
import { gunzip, withBeginning } from '../load/gunzip.js';
import { openSource, released } from '../load/source.js';

const MOST_PREFIXES = 10_000;
const MOST_ID_LENGTH = 200;
/** Bytes that are parsed in one stretch. */
const SLICE_BYTES = 64 * 1024;
/** A UUID as RDF Delta, Jena and the feed of Quadrille write it. */
const UUID_IRI = /^(?:urn:)?uuid:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

/** A change of a namespace; without an IRI it is removed. */
interface PrefixChange {
  readonly name: string;
  readonly iri: string | undefined;
}

/**
 * Applies a document as one revision. A document with several patches, each with an `H id` of its own, becomes one revision for each of them, in
 * their order. A patch whose id was applied before is passed over.
 */
export async function applyPatch(
  core: CoreRepository,
  namespaces: Namespaces,
  source: LoadSource,
  options: HostPatchOptions,
): Promise<Revision> {
  const { sourceName, signal, ...commit } = options;
  try {
    await checkRevision(core, commit.ifRevision);
    const opened = await openSource(source);
    const name = sourceName ?? opened.name;
    const { isPacked, chunks } = await withBeginning(opened.chunks[Symbol.asyncIterator]());
    const plain = isPacked ? gunzip(chunks, name === undefined ? {} : { source: name }) : chunks;
    const rows = await core.beginPatch({ source: name, signal });
    try {
      const patches = new Patches(core, namespaces, rows, commit, name);
      return await patches.read(released(plain, isPacked ? undefined : opened.release));
    } finally {
      await rows.close();
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new EvaluationError('ABORTED', 'the patch was aborted; nothing of it was kept', { cause: error });
  }
}

/** A patch of a document: what its headers say, and what its rows change. */
interface Patch {
  id?: string;
  prev?: string;
  author?: string;
  message?: string;
  /** Whether it has rows behind its headers. */
  hasRows: boolean;
  /** Rows `A` and `D` that count and were not committed. */
  rows: number;
  prefixes: PrefixChange[];
  /** Set when it was found out whether it was applied before: then by this revision, and its rows are passed over. */
  applied?: { readonly by: Revision | undefined };
}

const newPatch = (): Patch => ({ hasRows: false, rows: 0, prefixes: [] });

/** The patches of a document, which are committed one after the other. */
class Patches implements PatchSink {
  /** Those that were read and not committed. The last one is being read. */
  readonly #patches: Patch[] = [newPatch()];
  /** The value of the header that is read. */
  #value: string | undefined;
  /** What the patch had when the open block began. */
  #block = { rows: 0, prefixes: 0 };
  #ifRevision: HostPatchOptions['ifRevision'];
  readonly #terms: PatchSink['terms'] = (...spans) => this.rows.terms(...spans);

  constructor(
    private readonly core: CoreRepository,
    private readonly namespaces: Namespaces,
    private readonly rows: PatchRows,
    private readonly commit: Omit<HostPatchOptions, 'signal' | 'sourceName'>,
    private readonly source: string | undefined,
  ) {
    this.#ifRevision = commit.ifRevision;
  }

  async read(chunks: AsyncIterable<Uint8Array>): Promise<Revision> {
    const parser = createPatchParser({ sink: this, source: this.source });
    for await (const chunk of chunks) {
      if (chunk.length >= SCANNED_BYTES) await loadScanner();
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        parser.push(chunk.subarray(at, at + SLICE_BYTES));
        await this.#advance();
      }
    }
    parser.end();
    await this.#advance();
    return this.#end(this.commit.records);
  }

  // ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────

  get #last(): Patch {
    return this.#patches.at(-1)!;
  }

  /** Whether the rows that are read were applied before. */
  get #isPassedOver(): boolean {
    return this.#last.applied?.by !== undefined;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    if (this.#value === undefined && !this.#isPassedOver) return this.rows.term(bytes, start, end);
    if (this.#value !== undefined) this.#value = bytesToTerm(bytes.slice(start, end)).value;
    return DEFAULT_GRAPH_HANDLE;
  }

  /** The rows of a patch that was applied before come one by one: no handles of them are kept. */
  get terms(): PatchSink['terms'] {
    return this.#isPassedOver ? undefined : this.#terms;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    if (this.#value === undefined && !this.#isPassedOver) return this.rows.blankNode(bytes, start, end);
    if (this.#value !== undefined) this.#value = new TextDecoder().decode(bytes.subarray(start, end));
    return DEFAULT_GRAPH_HANDLE;
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    if (this.#value === undefined && !this.#isPassedOver) return this.rows.tripleTerm(subject, predicate, object);
    if (this.#value !== undefined) this.#value = '';
    return DEFAULT_GRAPH_HANDLE;
  }

  beginHeader(): void {
    this.#value = '';
  }

  header(name: string, _: TermHandle, line: number): void {
    const value = this.#value!;
    this.#value = undefined;
    const key = name.toLowerCase();
    // Rows without an id of their own belong to the patch beside them.
    if (this.#last.id !== undefined && (key === 'id' || this.#last.hasRows)) this.#begin();
    if (key === 'id') this.#last.id = this.#checkedId(value, line);
    else if (key === 'prev') this.#last.prev = idOf(value);
    else if (key === 'author' || key === 'message') this.#last[key] = value;
  }

  mark(mark: PatchMark): void {
    const patch = this.#last;
    patch.hasRows = true;
    if (mark === 'begin') this.#block = { rows: patch.rows, prefixes: patch.prefixes.length };
    if (mark !== 'abort') return;
    this.rows.dropLast(patch.rows - this.#block.rows);
    patch.rows = this.#block.rows;
    patch.prefixes.length = this.#block.prefixes;
  }

  change(added: boolean, ...rest: [TermHandle, TermHandle, TermHandle, TermHandle, number]): void {
    const patch = this.#last;
    patch.hasRows = true;
    if (this.#isPassedOver) return;
    this.rows.change(added, ...rest);
    patch.rows++;
  }

  prefix(name: string, iri: string | undefined, graph: TermHandle, line: number): void {
    const { prefixes } = this.#last;
    this.#last.hasRows = true;
    if (graph !== DEFAULT_GRAPH_HANDLE) throw this.#ofOneGraph(line);
    prefixes.push({ name, iri });
    if (prefixes.length <= MOST_PREFIXES) return;
    throw this.#fault(line, `a patch changes at most ${String(MOST_PREFIXES)} prefixes`);
  }

  #begin(): void {
    this.#patches.push(newPatch());
    this.#block = { rows: 0, prefixes: 0 };
  }

  #checkedId(value: string, line: number): string {
    const id = idOf(value);
    if (id.length <= MOST_ID_LENGTH && id !== '') return id;
    throw this.#fault(line, `the id of a patch has 1 to ${String(MOST_ID_LENGTH)} characters`);
  }

  #fault(line: number, reason: string): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.source, line });
  }

  #ofOneGraph(line: number): EvaluationError {
    const place = this.source === undefined ? 'line ' : `${this.source}:`;
    const reason = `${place}${String(line)}: a prefix of a single graph, which is not supported`;
    return new EvaluationError('UNSUPPORTED', reason, { details: { line } });
  }

  // ── Revisions ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Commits the patches that are complete, and looks whether the next one was applied before. */
  async #advance(): Promise<void> {
    while (this.#patches.length > 1) {
      const { number } = await this.#end(undefined);
      this.#patches.shift();
      this.#ifRevision = this.commit.ifRevision === undefined ? undefined : number;
    }
    if (this.#last.hasRows) await this.#start();
    await this.rows.makeRoom();
  }

  /** Behind the headers: the revision that `H prev` names must be the head, if it is one of this repository. */
  async #start(): Promise<void> {
    const [patch] = this.#patches as [Patch];
    if (patch.applied !== undefined) return;
    const { id, prev } = patch;
    const by = id === undefined ? undefined : await this.core.revisionOfPatch(id, prev);
    patch.applied = { by };
    if (by !== undefined) {
      this.rows.dropFirst(patch.rows);
      patch.rows = 0;
      if (patch === this.#last) this.#block.rows = 0;
    }
    const before = prev === undefined || by !== undefined ? undefined : await this.core.revisionOfPatch(prev);
    if (before === undefined) return;
    await checkRevision(this.core, before.number);
    this.#ifRevision = before.number;
  }

  /** Ends the first patch. */
  async #end(records: HostPatchOptions['records']): Promise<Revision> {
    const [patch] = this.#patches as [Patch];
    await this.#start();
    if (patch.applied?.by !== undefined) return patch.applied.by;
    const { id, author, message, prefixes, rows } = patch;
    const revision = await this.core.commitPatch(this.rows, rows, {
      ...this.commit,
      records,
      ifRevision: this.#ifRevision,
      author: this.commit.author ?? author,
      message: this.commit.message ?? message,
      id: this.commit.id ?? id,
      patch: id,
    });
    // Namespaces have no revisions. They change after the commit, which may still fail.
    for (const { name, iri } of prefixes) {
      if (iri === undefined) await this.namespaces.delete(name);
      else await this.namespaces.set(name, iri);
    }
    return revision;
  }
}

/** The id that a header names: a UUID in lower case, or the text as it is. */
const idOf = (value: string): string => UUID_IRI.exec(value)?.[1]?.toLowerCase() ?? value;

/** That the head is another revision explains more than that a quad is absent. */
async function checkRevision(core: CoreRepository, ifRevision: HostPatchOptions['ifRevision']): Promise<void> {
  if (ifRevision === undefined) return;
  const { number: expected } = await core.resolve(ifRevision);
  const { number: head } = core.head;
  if (expected === head) return;
  throw new ConflictError(
    'REVISION_CONFLICT',
    `the head is revision ${String(head)}, not ${String(expected)}: read it and try again`,
    { details: { expected, head } },
  );
}
