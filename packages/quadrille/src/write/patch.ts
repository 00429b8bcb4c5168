/** Applies RDF Patch as one revision. Loaded with the first patch. */
import type { Repository as CoreRepository, Revision, StagedTransaction } from '@quadrille/core';
import { readPatch } from '@quadrille/formats/patch';
import type { PatchRow } from '@quadrille/formats/patch';
import { ConflictError, EvaluationError, ParseError } from '@quadrille/model';
import type { LoadSource, Namespaces, PatchOptions } from '../api/index.js';
import { gunzip, withBeginning } from '../load/gunzip.js';
import { openSource, released } from '../load/source.js';
import { PatchStage } from './patch-stage.js';

/** How often a patch is applied anew where other commits come first. */
const ATTEMPTS = 10;
const MOST_PREFIXES = 10_000;

/** A change of a namespace; without an IRI it is removed. */
interface PrefixChange {
  readonly name: string;
  readonly iri: string | undefined;
}

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
      const staged = await core.begin({ rebases: true, signal });
      try {
        await checkRevision(core, staged, commit.ifRevision);
        const prefixes = await stagePatch(staged, source, sourceName, signal);
        const revision = await core.commitTransaction(staged, commit);
        // Namespaces have no revisions. They change after the commit, which may still fail.
        for (const { name, iri } of prefixes) {
          if (iri === undefined) await namespaces.delete(name);
          else await namespaces.set(name, iri);
        }
        return revision;
      } catch (error) {
        const lost = error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
        if (!lost || commit.ifRevision !== undefined || --left <= 0) throw error;
      } finally {
        staged.close();
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new EvaluationError('ABORTED', 'the patch was aborted; nothing of it was kept', { cause: error });
  }
}

const isStream = (source: LoadSource): boolean =>
  typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || source instanceof ReadableStream);

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

/** Stages all rows. Returns the changes of namespaces. */
async function stagePatch(
  staged: StagedTransaction,
  source: LoadSource,
  sourceName: string | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly PrefixChange[]> {
  const opened = await openSource(source);
  const name = sourceName ?? opened.name;
  const { isPacked, chunks } = await withBeginning(opened.chunks[Symbol.asyncIterator]());
  const plain = isPacked ? gunzip(chunks, name === undefined ? {} : { source: name }) : chunks;
  const rows = new PatchRows(new PatchStage(staged, name), name);
  for await (const batch of readPatch(released(plain, isPacked ? undefined : opened.release), { source: name })) {
    signal?.throwIfAborted();
    for (const row of batch) await rows.read(row);
  }
  return rows.end();
}

class PatchRows {
  readonly #prefixes: PrefixChange[] = [];
  /** The number of prefixes before the open block. */
  #prefixesBefore = 0;

  constructor(
    private readonly stage: PatchStage,
    private readonly source: string | undefined,
  ) {}

  // token switch
  async read(row: PatchRow): Promise<void> {
    switch (row.type) {
      case 'add':
      case 'delete':
        return this.stage.add({ added: row.type === 'add', quad: row.quad, line: row.line });
      case 'begin':
        this.#prefixesBefore = this.#prefixes.length;
        return this.stage.begin();
      case 'commit':
        return this.stage.commit();
      case 'abort':
        this.#prefixes.length = this.#prefixesBefore;
        return this.stage.abort();
      case 'header':
        if (row.name.toLowerCase() === 'id') throw this.#unsupported(row, 'a patch with an id is a push');
        return undefined;
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
