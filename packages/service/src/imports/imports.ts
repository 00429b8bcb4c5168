/** Imports: documents into a repository, each one a job and one revision that is visible when it is complete. */
import { InvalidArgumentError } from '@quadrille/model';
import type { CommitOptions, LoadOptions, LoadProgress, Repository, Revision } from 'quadrille';
import { type ReadAhead, readAhead, stoppable, withEnd } from './byte-stream.js';
import type { Caller } from '../accounts/caller.js';
import type { Fetcher } from './fetcher.js';
import { ByteBudget } from '../byte-budget.js';
import { AdmissionQueue } from '../queries/admission-queue.js';
import { documentLoader } from './document-loader.js';
import { type ImportSource, openBody, openUrl, type OpenedSource, shown } from './import-source.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Graph } from '../repositories/graph.js';
import { loadGraphs } from './load-graphs.js';
import type { ServiceLimits } from '../options.js';
import type { Reclaimer } from '../repositories/reclaimer.js';
import { ownerOf, type Rights } from '../repositories/rights.js';
import type { RunningJob } from '../jobs/running-job.js';
import { bytesText } from '../text.js';

export interface ImportRequest {
  readonly source: ImportSource;
  /** Replaces what is in `graphs`, or everything. Default false: adds. */
  readonly replace?: boolean | undefined;
  /** Everything goes to each of these; graph names of the document are dropped. Default: its own graphs. */
  readonly graphs?: readonly Graph[] | undefined;
  /** Default: for a document of another host its address; else none. */
  readonly baseIRI?: string | undefined;
  /** `author` is the account of the caller unless it is given. */
  readonly commit?: Omit<CommitOptions, 'signal'>;
  /** Aborts the import: the client that waits for it went away. */
  readonly signal?: AbortSignal | undefined;
}

export interface StartedImport {
  readonly uuid: string;
  /** As it stands now. */
  readonly job: () => Job;
  /** Resolves when nothing more is read from the body, or the import has ended. Then an asynchronous import can be answered. */
  readonly received: Promise<void>;
  /** The revision, or why there is none. */
  readonly done: Promise<Revision>;
}

/** Compacting costs time: for less it is left to the next occasion. */
const RECLAIMED_FROM_BYTES = 16 * 1024 * 1024;
/** A document that is sent as a whole this short neither waits for long ones nor counts as one. */
const SHORT_BYTES = 256 * 1024;
/** Read of documents that are not imported yet. Beyond this a document waits with the long ones before it is read. */
const AHEAD_BYTES = 64 * 1024 * 1024;
const SHORT_LIMITS = { atOnce: 64, atOncePerAccount: 16, waitingPerAccount: 1000 };

export class Imports {
  readonly #long: AdmissionQueue;
  readonly #short = new AdmissionQueue('imports', SHORT_LIMITS);
  readonly #ahead = new ByteBudget(AHEAD_BYTES);

  constructor(
    private readonly rights: Rights,
    private readonly jobs: Jobs,
    private readonly limits: ServiceLimits,
    private readonly fetch: Fetcher | undefined,
    private readonly reclaimer: Reclaimer,
  ) {
    this.#long = new AdmissionQueue('imports', {
      atOnce: limits.importsAtOnce,
      atOncePerAccount: limits.importsAtOncePerAccount,
      waitingPerAccount: limits.importsWaitingPerAccount,
    });
  }

  /**
   * Begins an import. It is a job from here on; how it ends is told by `done`. With `durable` the job is on disk when this
   * resolves: for those who are answered before it has ended.
   * @throws AccessError, NotFoundError as {@link Rights.open}; InvalidArgumentError `UNSUPPORTED_FORMAT`
   */
  async start(
    caller: Caller,
    name: string,
    request: ImportRequest,
    { durable = false }: { durable?: boolean } = {},
  ): Promise<StartedImport> {
    const repository = await this.rights.open(caller, name, 'write');
    const { source, signal } = request;
    const opened = 'url' in source ? undefined : openBody(source);
    if ('url' in source && !URL.canParse(source.url)) {
      throw new InvalidArgumentError('INVALID_OPTION', 'the address to import from is not a URL');
    }
    const what = 'url' in source ? shown(source.url) : opened!.name;
    const running = this.jobs.begin('import', caller, name, `waiting to import ${what}`);
    const onAbort = (): void => running.abort('disconnected');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    let received!: () => void;
    const allReceived = new Promise<void>((resolve) => (received = resolve));
    if (durable) await running.store(true);
    const done = this.#run(running, repository, opened, request, caller, received).finally(() => {
      signal?.removeEventListener('abort', onAbort);
      received();
    });
    done.catch(() => undefined);
    return { uuid: running.uuid, job: () => running.job, received: allReceived, done };
  }

  /** Imports and waits for the end. @throws as {@link start}, and whatever reading and committing throw */
  async run(caller: Caller, name: string, request: ImportRequest): Promise<{ revision: Revision; uuid: string }> {
    const { done, uuid } = await this.start(caller, name, request);
    return { revision: await done, uuid };
  }

  /** Imports that wait for others. */
  get waiting(): number {
    return this.#long.waiting + this.#short.waiting;
  }

  async #run(
    running: RunningJob,
    repository: Repository,
    body: OpenedSource | undefined,
    request: ImportRequest,
    caller: Caller,
    received: () => void,
  ): Promise<Revision> {
    let leave: (() => void) | undefined;
    let source = body;
    let bytes: AsyncGenerator<Uint8Array> | undefined;
    let ahead: ReadAhead | undefined;
    try {
      const account = caller.account ?? ownerOf(repository.name);
      const { signal } = running;
      if (source === undefined) {
        leave = await this.#long.enter(account, signal);
        running.start(`fetching ${shown((request.source as { url: string }).url)}`);
        source = await openUrl((request.source as { url: string }).url, this.fetch, signal, this.limits.importBytes);
      }
      bytes = stoppable(source.chunks, signal, {
        idleMs: this.limits.importIdleMs,
        minRate: this.limits.importMinRate,
      });
      ahead = await readAhead(bytes, SHORT_BYTES, this.#ahead);
      leave ??= await (ahead.bytes === undefined ? this.#long : this.#short).enter(account, signal);
      running.start(`reading ${source.name}`);
      const read = ahead.bytes === undefined ? source : { ...source, bytesTotal: ahead.bytes, bytesRead: undefined };
      const options = this.#loadOptions(request, read, running, caller);
      const revision = await loadGraphs(
        repository,
        withEnd(ahead.chunks, received),
        request.graphs,
        options,
        this.limits.transactionBytes,
      );
      await running.complete(completed(source.name, running.job), revision.id);
      return revision;
    } catch (error) {
      const { bytesRead = 0 } = await running.fail(error);
      if (bytesRead >= RECLAIMED_FROM_BYTES) this.reclaimer.request(repository.name);
      throw error;
    } finally {
      leave?.();
      ahead?.release();
      // Where it was refused before it was read.
      await bytes?.return(undefined);
      source?.close();
    }
  }

  #loadOptions(request: ImportRequest, source: OpenedSource, running: RunningJob, caller: Caller): LoadOptions {
    const baseIRI = request.baseIRI ?? source.url;
    const author = request.commit?.author ?? caller.account;
    return {
      ...request.commit,
      ...(author === undefined ? {} : { author }),
      ...(baseIRI === undefined ? {} : { baseIRI }),
      ...(source.bytesTotal === undefined ? {} : { bytesTotal: source.bytesTotal }),
      ...(source.bytesRead === undefined ? {} : { bytesRead: source.bytesRead }),
      format: source.format,
      replace: request.replace === true,
      sourceName: source.name,
      signal: running.signal,
      maxBytes: this.limits.importBytes,
      maxRatio: this.limits.importRatio,
      ...(this.fetch === undefined ? {} : { loadDocument: documentLoader(this.fetch) }),
      records: ({ id }) => [running.completion(completed(source.name, running.job), id)],
      onProgress: (progress) => report(running, source.name, progress),
    };
  }
}

const completed = (name: string, { statements = 0 }: Job): string =>
  `imported ${name}: ${String(statements)} statements read`;

function report(running: RunningJob, name: string, progress: LoadProgress): void {
  // Whoever loads into several graphs only begins to commit then.
  if (progress.phase === 'done') return;
  const { phase, bytesRead, bytesTotal, quads, fraction } = progress;
  const read = bytesTotal === undefined ? bytesText(bytesRead) : `${bytesText(bytesRead)} of ${bytesText(bytesTotal)}`;
  // While what was read is indexed, nothing more is read: this tells that it goes on.
  const indexed = `${String(Math.floor(quads * progress.indexedShare))} of them indexed`;
  const message = `${phase} ${name}: ${read}, ${String(quads)} statements, ${indexed}`;
  running.progress({ message, bytesRead, bytesTotal, statements: quads }, fraction);
}
