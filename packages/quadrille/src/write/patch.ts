/** Applies RDF Patch. Loaded with the first patch. */
import type { Repository as CoreRepository, Revision, StagedTransaction } from '@quadrille/core';
import { readPatch } from '@quadrille/formats/patch';
import type { HeaderRow, PatchRow } from '@quadrille/formats/patch';
import { ConflictError, EvaluationError, ParseError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { LoadSource, Namespaces, PatchOptions } from '../api/index.js';
import { gunzip, withBeginning } from '../load/gunzip.js';
import { openSource, released } from '../load/source.js';
import { PatchStage } from './patch-stage.js';

/** How often a patch is applied anew where other commits come first. */
const ATTEMPTS = 10;
const MOST_PREFIXES = 10_000;
const MOST_ID_LENGTH = 200;
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
  options: PatchOptions,
): Promise<Revision> {
  const { sourceName, signal, ...commit } = options;
  // A stream cannot be read again.
  let left = isStream(source) ? 1 : ATTEMPTS;
  try {
    for (;;) {
      const application = new PatchApplication(core, namespaces, signal, commit);
      try {
        await application.begin();
        return await application.apply(source, sourceName);
      } catch (error) {
        const lost = error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
        if (!lost || application.isConditional || --left <= 0) throw error;
      } finally {
        application.close();
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new EvaluationError('ABORTED', 'the patch was aborted; nothing of it was kept', { cause: error });
  }
}

const isStream = (source: LoadSource): boolean =>
  typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || source instanceof ReadableStream);

/** What the headers of a patch say of it. */
interface PatchHeaders {
  id?: string;
  prev?: string;
  author?: string;
  message?: string;
}

/** One reading of a document, from its first row to its last. */
class PatchApplication {
  #staged: StagedTransaction | undefined;
  #rows: PatchRows | undefined;
  #headers: PatchHeaders = {};
  /** Whether the patch has rows behind its headers. */
  #hasRows = false;
  /** The revision that has applied the patch before. Its rows are passed over. */
  #done: Revision | undefined;
  #ifRevision: PatchOptions['ifRevision'];
  #source: string | undefined;

  constructor(
    private readonly core: CoreRepository,
    private readonly namespaces: Namespaces,
    private readonly signal: AbortSignal | undefined,
    private readonly commit: Omit<PatchOptions, 'signal' | 'sourceName'>,
  ) {
    this.#ifRevision = commit.ifRevision;
  }

  /** Whether the patch must follow a certain revision, so that it cannot be applied on a newer one. */
  get isConditional(): boolean {
    return this.#ifRevision !== undefined;
  }

  async begin(): Promise<void> {
    this.close();
    this.#staged = await this.core.begin({ rebases: true, signal: this.signal });
    await checkRevision(this.core, this.#staged, this.#ifRevision);
  }

  close(): void {
    this.#staged?.close();
    this.#staged = undefined;
  }

  async apply(source: LoadSource, sourceName: string | undefined): Promise<Revision> {
    const opened = await openSource(source);
    const name = sourceName ?? opened.name;
    this.#source = name;
    const { isPacked, chunks } = await withBeginning(opened.chunks[Symbol.asyncIterator]());
    const plain = isPacked ? gunzip(chunks, name === undefined ? {} : { source: name }) : chunks;
    this.#rows = new PatchRows(this.#staged!, name);
    for await (const batch of readPatch(released(plain, isPacked ? undefined : opened.release), { source: name })) {
      this.signal?.throwIfAborted();
      for (const row of batch) {
        if (row.type === 'header') await this.#header(row);
        else {
          if (!this.#hasRows) await this.#start();
          // Most rows wait for nothing, and a promise takes longer than the row.
          const reading = this.#done === undefined ? this.#rows.read(row) : undefined;
          if (reading !== undefined) await reading;
        }
      }
    }
    return this.#end(this.commit.records);
  }

  async #header({ name, value, line }: HeaderRow): Promise<void> {
    const key = name.toLowerCase();
    // Rows without an id of their own belong to the patch beside them.
    if (this.#headers.id !== undefined && (key === 'id' || this.#hasRows)) await this.#next();
    if (key === 'id') this.#identify(value, line);
    else if (key === 'prev') this.#headers.prev = idOf(value);
    else if (key === 'author' || key === 'message') this.#headers[key] = value.value;
  }

  #identify(value: RDF.Term, line: number): void {
    const id = idOf(value);
    if (id.length > MOST_ID_LENGTH || id === '') {
      const reason = `the id of a patch has 1 to ${String(MOST_ID_LENGTH)} characters`;
      throw new ParseError('RDF_SYNTAX', reason, { source: this.#source, line });
    }
    this.#headers.id = id;
  }

  /** Behind the headers: the revision that `H prev` names must be the head, if it is one of this repository. */
  async #start(): Promise<void> {
    if (this.#hasRows) return;
    this.#hasRows = true;
    const { id, prev } = this.#headers;
    this.#done = id === undefined ? undefined : await this.core.revisionOfPatch(id, prev);
    if (prev === undefined || this.#done !== undefined) return;
    const before = await this.core.revisionOfPatch(prev);
    if (before === undefined) return;
    await checkRevision(this.core, this.#staged!, before.number);
    this.#ifRevision = before.number;
  }

  /** Ends a patch, and begins the one behind it. */
  async #next(): Promise<void> {
    const { number } = await this.#end(undefined);
    this.#headers = {};
    this.#hasRows = false;
    this.#done = undefined;
    this.#ifRevision = this.commit.ifRevision === undefined ? undefined : number;
    await this.begin();
    this.#rows = new PatchRows(this.#staged!, this.#source);
  }

  async #end(records: PatchOptions['records']): Promise<Revision> {
    await this.#start();
    if (this.#done !== undefined) return this.#done;
    const { id, author, message } = this.#headers;
    const prefixes = await this.#rows!.end();
    const revision = await this.core.commitTransaction(this.#staged!, {
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
const idOf = ({ value }: RDF.Term): string => UUID_IRI.exec(value)?.[1]?.toLowerCase() ?? value;

/** That the head is another revision explains more than that a quad is absent. */
async function checkRevision(
  core: CoreRepository,
  { base }: StagedTransaction,
  ifRevision: PatchOptions['ifRevision'],
): Promise<void> {
  if (ifRevision === undefined) return;
  const { number: expected } = await core.resolve(ifRevision);
  if (expected === base.number) return;
  throw new ConflictError(
    'REVISION_CONFLICT',
    `the head is revision ${String(base.number)}, not ${String(expected)}: read it and try again`,
    { details: { expected, head: base.number } },
  );
}

class PatchRows {
  readonly #prefixes: PrefixChange[] = [];
  /** The number of prefixes before the open block. */
  #prefixesBefore = 0;

  readonly stage: PatchStage;

  constructor(
    staged: StagedTransaction,
    private readonly source: string | undefined,
  ) {
    this.stage = new PatchStage(staged, source);
  }

  // token switch
  read(row: Exclude<PatchRow, HeaderRow>): Promise<void> | undefined {
    switch (row.type) {
      case 'add':
      case 'delete':
        return this.stage.add({ added: row.type === 'add', quad: row.quad, line: row.line });
      case 'begin':
        this.#prefixesBefore = this.#prefixes.length;
        this.stage.begin();
        return undefined;
      case 'commit':
        this.stage.commit();
        return undefined;
      case 'abort':
        this.#prefixes.length = this.#prefixesBefore;
        return this.stage.abort();
      default:
        if (row.graph.termType !== 'DefaultGraph') throw this.#unsupported(row, 'a prefix of a single graph');
        this.#prefixes.push({ name: row.name, iri: row.type === 'add prefix' ? row.iri : undefined });
        if (this.#prefixes.length <= MOST_PREFIXES) return undefined;
        throw new ParseError('RDF_SYNTAX', `a patch changes at most ${String(MOST_PREFIXES)} prefixes`, {
          source: this.source,
          line: row.line,
        });
    }
  }

  async end(): Promise<readonly PrefixChange[]> {
    await this.stage.finish();
    return this.#prefixes;
  }

  #unsupported({ line }: PatchRow, what: string): EvaluationError {
    const place = this.source === undefined ? 'line ' : `${this.source}:`;
    return new EvaluationError('UNSUPPORTED', `${place}${String(line)}: ${what}, which is not supported`, {
      details: { line },
    });
  }
}
