/** Reads a history file into a repository. Loaded with the first import. */
import { toRevision } from '@quadrille/core';
import type { HistoryFaults, RevisionHeaders, Repository as CoreRepository, Revision } from '@quadrille/core';
import { createPatchParser } from '@quadrille/formats/patch';
import type { PatchParser } from '@quadrille/formats/patch';
import { EvaluationError, ParseError, yieldTurn } from '@quadrille/model';
import type { ImportHistoryOptions, LoadSource, Namespaces, Tags } from '../api/index.js';
import { ImportTarget } from './import-target.js';
import { gunzip, withBeginning } from '../load/gunzip.js';
import { openSource, released } from '../load/source.js';
import { HistoryParts } from './history-parts.js';
import type { HistoryPart } from './history-parts.js';
import { HistorySink } from './history-sink.js';
import type { BranchStart, HistoryEnd, NamedEntry } from './history-sink.js';
import { HashChain, loadSha256 } from './sha256.js';

const PROGRESS_MS = 200;
/** Work between two turns of the event loop, and bytes that are parsed in one stretch. */
const STEP_MS = 4;
const SLICE_BYTES = 64 * 1024;
const HASH_ROW = /^H sha256 "([0-9a-f]{64})" \.\n$/;

const utf8 = new TextDecoder();

/** The target of a history file, apart from its quads. */
interface Names {
  readonly namespaces: Namespaces;
  readonly tags: Tags;
}

export async function importHistory(
  core: CoreRepository,
  names: Names,
  source: LoadSource,
  options: ImportHistoryOptions,
): Promise<Revision> {
  const { signal } = options;
  const opened = await openSource(source);
  const { HistoryFaults: Faults, HistoryImport: Import } = await core.history.files();
  const faults = new Faults(options.sourceName ?? opened.name);
  let bytesRead = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of opened.chunks) {
      signal?.throwIfAborted();
      yield chunk;
      bytesRead += chunk.length;
    }
  };
  const { isPacked, chunks } = await withBeginning(counted()[Symbol.asyncIterator]());
  try {
    const target = await ImportTarget.begin(core, Import, faults, options);
    const reader = new HistoryReader(target, faults, await loadSha256(), () => report());
    const report = (): void => {
      const { imported, skipped } = target;
      options.onProgress?.({ bytesRead, bytesTotal: options.bytesTotal ?? opened.length, imported, skipped });
    };
    try {
      await reader.read(isPacked ? gunzip(chunks) : released(chunks, opened.release));
      await setNames(names, reader.sink, faults);
      report();
      return toRevision(core.head);
    } finally {
      await target.close();
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    const kept = 'the import was aborted; the revisions that were imported before are kept';
    throw new EvaluationError('ABORTED', kept, { cause: error });
  } finally {
    await chunks.return(undefined);
  }
}

class HistoryReader {
  readonly sink: HistorySink;
  readonly #parts = new HistoryParts();
  readonly #chain: HashChain;
  readonly #parser: PatchParser;
  #count = 0;
  #last: RevisionHeaders | undefined;
  /** The last revision of `main` in a file with other branches. */
  #mainHead: RevisionHeaders | undefined;
  #end: HistoryEnd | undefined;
  #stepEnd = 0;
  #reportAt = 0;

  constructor(
    private readonly target: ImportTarget,
    private readonly faults: HistoryFaults,
    createHash: ConstructorParameters<typeof HashChain>[0],
    private readonly report: () => void,
  ) {
    this.sink = new HistorySink(target.load, faults, target.main.branchName);
    this.#chain = new HashChain(createHash);
    this.#parser = createPatchParser({ sink: this.sink });
  }

  /** Imports the whole file. After a fault of the file, the transactions before it are durable. */
  async read(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; at += SLICE_BYTES)
          for (const part of this.#parts.split(chunk.subarray(at, at + SLICE_BYTES))) await this.#part(part);
      }
      this.#finish();
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw this.faults.broken(error.line ?? this.sink.line, error.reason, error);
    } finally {
      // Not after an error of the import itself: it has staged what it could.
      if (!this.target.load.failed) await this.target.load.flush();
    }
  }

  async #part({ bytes, isHash }: HistoryPart): Promise<void> {
    const { sink } = this;
    const { load } = this.target;
    if (this.#end !== undefined) throw this.faults.broken(sink.line + 1, 'there is more after the end of the history');
    if (isHash) await this.#hashRow(bytes);
    else {
      this.#chain.update(bytes);
      this.#parser.push(bytes);
      if (sink.sawHash) throw this.faults.broken(sink.line, 'a row H sha256 is one line, in one form');
    }
    if (load.full) await load.makeRoom(sink.revision?.number ?? 0, sink.firstLine);
    const now = performance.now();
    if (now >= this.#reportAt) {
      this.#reportAt = now + PROGRESS_MS;
      this.report();
    }
    if (now < this.#stepEnd) return;
    await yieldTurn();
    this.#stepEnd = performance.now() + STEP_MS;
  }

  async #hashRow(bytes: Uint8Array): Promise<void> {
    const { sink, faults } = this;
    const { load } = this.target;
    const value = this.#chain.next();
    this.#parser.push(bytes);
    this.#parser.flush();
    const first = sink.firstLine;
    if (HASH_ROW.exec(utf8.decode(bytes))?.[1] !== value || !sink.takeHash()) {
      const lines = `lines ${String(first)} to ${String(Math.max(first, sink.line))}`;
      throw faults.broken(
        first,
        `the SHA-256 value does not match: ${lines} were changed, or something before them is missing`,
      );
    }
    const part = sink.endPart();
    if (part === true) {
      const revision = sink.revision!;
      this.#checkOrder(revision, first);
      const ended = load.commit(revision, first);
      if (ended !== undefined) await ended;
      this.#last = revision;
      this.#count++;
    } else if ('branch' in part) await this.#beginBranch(part);
    else this.#checkEnd(part);
    sink.beginPart(sink.line + 1);
  }

  async #beginBranch(start: BranchStart): Promise<void> {
    const main = (this.#mainHead ??= this.#last);
    if (main === undefined) throw this.faults.broken(start.line, 'a branch begins before main has a revision');
    this.#last = undefined;
    this.sink.load = await this.target.moveTo(start);
  }

  #checkOrder({ number, parentId, kind }: RevisionHeaders, line: number): void {
    const last = this.#last;
    if (last === undefined) return;
    const isNext = kind === 'squash' ? number > last.number : number === last.number + 1;
    if (isNext && parentId !== undefined && isSame(parentId, last.id)) return;
    throw this.faults.broken(line, `revision ${String(number)} does not follow revision ${String(last.number)}`);
  }

  #checkEnd(end: HistoryEnd): void {
    const { head, count, line } = end;
    const last = this.#mainHead ?? this.#last;
    if (count !== this.#count || (last !== undefined && !isSame(head, last.id)))
      throw this.faults.broken(line, 'the end of the history names other transactions than those before it');
    this.#end = end;
  }

  #finish(): void {
    const { sink } = this;
    if (this.#end !== undefined && this.#parts.rest.length === 0) {
      this.#parser.end();
      return;
    }
    if (this.#end === undefined && this.#parts.rest.length === 0) this.#parser.end();
    throw this.faults.broken(sink.line, 'the history is cut: its last rows are missing');
  }
}

const isSame = (x: Uint8Array, y: Uint8Array): boolean => x.every((byte, i) => byte === y[i]);

/** Sets the namespaces and tags of the file. Others stay. */
async function setNames({ namespaces, tags }: Names, sink: HistorySink, faults: HistoryFaults): Promise<void> {
  const known = await namespaces.list();
  for (const entry of sink.namespaces)
    if (known[entry.name] !== entry.value) await checked(entry, faults, () => namespaces.set(entry.name, entry.value));
  const tagged = new Map((await tags.list().toArray()).map(({ name, revision }) => [name, revision.id]));
  for (const entry of sink.tags)
    if (tagged.get(entry.name) !== entry.value) await checked(entry, faults, () => tags.set(entry.name, entry.value));
}

async function checked({ line }: NamedEntry, faults: HistoryFaults, set: () => Promise<unknown>): Promise<void> {
  try {
    await set();
  } catch (error) {
    const { code } = error as { code?: string };
    const isOfFile = code === 'INVALID_NAME' || code === 'INVALID_TERM' || code === 'REVISION_NOT_FOUND';
    throw isOfFile ? faults.broken(line, (error as Error).message, error) : error;
  }
}
