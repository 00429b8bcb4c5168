/** Imports of documents into repositories. Each import is a job and makes one revision. */
import { EvaluationError, InvalidArgumentError } from '@quadrille/model';
import { fetchedContexts } from 'quadrille';
import type { HostCommitOptions, HostLoadOptions } from 'quadrille/host';
import type { ChangePreview, LoadProgress, Repository, Revision } from 'quadrille';
import { type ReadAhead, readAhead, type SenderLimits, stoppable, wholeOf, withEnd } from './byte-stream.js';
import type { Caller } from '../accounts/caller.js';
import type { Fetcher } from './fetcher.js';
import { ByteBudget } from '../byte-budget.js';
import { AdmissionQueue } from '../queries/admission-queue.js';
import { type BodySource, type ImportSource, openBody, openUrl, type OpenedSource, shown } from './import-source.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Graph } from '../repositories/graph.js';
import { loadGraphs } from './load-graphs.js';
import type { ServiceLimits, ServiceOptions } from '../options.js';
import type { Reclaimer } from '../repositories/reclaimer.js';
import { ownerOf, type Rights } from '../repositories/rights.js';
import { SkippedLines } from './skipped-lines.js';
import { type Sender, SlowSenders } from './slow-senders.js';
import type { RunningJob } from '../jobs/running-job.js';
import { bytesText } from '../text.js';

/** The source and the options of an import. */
export interface ImportRequest {
  /** Where it reads from. */
  readonly source: ImportSource;
  /** The branch to import into. Default: the default branch of the repository. */
  readonly branch?: string | undefined;
  /** Replaces the content of `graphs`, or of the repository. Default false: adds. */
  readonly replace?: boolean | undefined;
  /** All statements are added to each of these graphs, and the graph names of the document are dropped. Default: its own graphs. */
  readonly graphs?: readonly Graph[] | undefined;
  /** Default: the address of a document of another host, else none. */
  readonly baseIRI?: string | undefined;
  /** How JSON-LD is read. */
  readonly jsonLd?: HostLoadOptions['jsonLd'] | undefined;
  /** `skip`: lines, IRIs and language tags that are not well formed are left out, and told by the job. Default `fail`. */
  readonly onError?: HostLoadOptions['onError'] | undefined;
  /** How many lines may be skipped. Default 1,000. */
  readonly maxErrors?: number | undefined;
  /** That the client gave its request, to find the job by. */
  readonly clientRequestId?: string | undefined;
  /** The default `author` is the account of the caller. */
  readonly commit?: Omit<HostCommitOptions, 'signal'>;
  /** Aborts the import, because the client that waits for it has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

/** An import that runs or waits. */
export interface StartedImport {
  /** UUID of its job. */
  readonly uuid: string;
  /** The present state of the job. */
  readonly job: () => Job;
  /** Resolves when the body has been read to its end, or the import has ended. An asynchronous import is answered then. */
  readonly received: Promise<void>;
  /** Resolves with the new revision, or rejects with the reason of the failure. */
  readonly done: Promise<Revision>;
}

/** After a failed import that has read fewer bytes, the repository is not compacted. */
const RECLAIMED_FROM_BYTES = 16 * 1024 * 1024;
/** The announced length of a document up to which an import whose client waits is no job. */
const SHORT_DOCUMENT_BYTES = 64 * 1024;
/** Shorter documents do not wait for longer ones. */
const SHORT_BYTES = 256 * 1024;
/** Most bytes that are read ahead of all waiting documents. Beyond it a document waits with the long ones before it is read. */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** Commits that wait together share their sync. */
const SHORT_LIMITS = { atOnce: 256, atOncePerAccount: 64, waitingPerAccount: 1000 };

/** Imports as jobs: each is one revision, and is visible only when it is complete. */
export class Imports {
  readonly #long: AdmissionQueue;
  readonly #slow: SlowSenders;
  readonly #short = new AdmissionQueue('imports', SHORT_LIMITS);
  readonly #ahead = new ByteBudget(AHEAD_BYTES);
  readonly #fetch: Fetcher | undefined;
  /** The contexts that a JSON-LD document may refer to. */
  readonly loadDocument: HostLoadOptions['loadDocument'];

  constructor(
    private readonly rights: Rights,
    private readonly jobs: Jobs,
    private readonly limits: ServiceLimits,
    { fetch, contexts }: Pick<ServiceOptions, 'fetch' | 'contexts'>,
    private readonly reclaimer: Reclaimer,
  ) {
    this.#long = new AdmissionQueue('imports', {
      atOnce: limits.importsAtOnce,
      atOncePerAccount: limits.importsAtOncePerAccount,
      waitingPerAccount: limits.importsWaitingPerAccount,
    });
    this.#slow = new SlowSenders(this.#long, limits);
    this.#fetch = fetch;
    this.loadDocument = fetch || contexts ? fetchedContexts(fetch, contexts) : undefined;
  }

  /**
   * Starts an import. With `durable` its job is on disk when this resolves, so that clients can be answered before the import
   * has ended.
   * @throws AccessError, NotFoundError as {@link Rights.open}; InvalidArgumentError `UNSUPPORTED_FORMAT`
   */
  async start(
    caller: Caller,
    name: string,
    request: ImportRequest,
    { durable = false }: { durable?: boolean } = {},
  ): Promise<StartedImport> {
    const repository = await this.rights.openToCommit(caller, name, request.branch);
    const { source, signal, clientRequestId } = request;
    const opened = 'url' in source ? undefined : openBody(source);
    if ('url' in source && !URL.canParse(source.url)) {
      throw new InvalidArgumentError('INVALID_OPTION', 'the address to import from is not a URL');
    }
    const what = 'url' in source ? shown(source.url) : opened!.name;
    const running = this.jobs.begin('import', caller, name, `waiting to import ${what}`, {
      clientRequestId,
      branch: repository.branch,
    });
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

  /**
   * Imports a document whose client waits for the end. An import of a short document is no job: nobody can ask for it before that.
   * @param at the name of a repository; or the repository on its branch, if the rights of the caller were checked
   * @throws as {@link start}, and the reason of a failure
   */
  async run(caller: Caller, at: string | Repository, request: ImportRequest): Promise<Revision> {
    // Where too much is in memory already, the document is with its sender until it has its turn.
    if (isShort(request) && !this.#ahead.exceeded) return this.#runShort(caller, at, request);
    const { done } = await this.start(caller, typeof at === 'string' ? at : at.name, request);
    return done;
  }

  async #runShort(caller: Caller, at: string | Repository, request: ImportRequest): Promise<Revision> {
    const repository = typeof at === 'string' ? await this.rights.openToCommit(caller, at, request.branch) : at;
    const source = openBody(request.source as BodySource);
    const { signal, graphs } = request;
    const held = source.bytesTotal!;
    this.#ahead.hold(held);
    let leave: (() => void) | undefined;
    try {
      const bytes = source.whole ?? (await wholeOf(stoppable(source.chunks, signal, this.#sender()), held));
      leave = await this.#short.enter(caller.account ?? ownerOf(repository.name), signal);
      return await repository.load(bytes, this.#documentOptions(request, source, caller, graphs?.[0], signal));
    } catch (cause) {
      if (signal?.aborted !== true) throw cause;
      throw new EvaluationError('ABORTED', 'the client closed the connection; nothing of it was kept', { cause });
    } finally {
      leave?.();
      this.#ahead.release(held);
    }
  }

  /**
   * What an import would add and remove now. It is no job: its client waits, and nothing of it stays.
   * @throws as {@link run}; InvalidArgumentError `INVALID_OPTION` for a document for several graphs
   */
  async preview(
    caller: Caller,
    repository: Repository,
    request: ImportRequest & { readonly signal: AbortSignal },
  ): Promise<ChangePreview> {
    const { source: from, signal, graphs = [], onError, maxErrors } = request;
    if (graphs.length > 1)
      throw new InvalidArgumentError(
        'INVALID_OPTION',
        'a document for several graphs has no preview; choose one graph',
      );
    let source = 'url' in from ? undefined : openBody(from);
    const queue = isShort(request) ? this.#short : this.#long;
    const leave = await queue.enter(caller.account ?? ownerOf(repository.name), signal);
    let read = 0;
    try {
      source ??= await openUrl((from as { url: string }).url, this.#fetch, signal, this.limits.importBytes);
      return await repository.load(stoppable(source.chunks, signal, this.#sender()), {
        ...this.#documentOptions(request, source, caller, graphs[0], signal),
        onError,
        maxErrors,
        onProgress: ({ bytesRead }) => (read = bytesRead),
        dryRun: true,
      });
    } finally {
      source?.close();
      leave();
      if (read >= RECLAIMED_FROM_BYTES) this.reclaimer.request(repository.name);
    }
  }

  #sender(mayStay?: SenderLimits['mayStay']): SenderLimits {
    const { importIdleMs: idleMs, importMinRate: minRate } = this.limits;
    return { idleMs, minRate, ...(mayStay && { mayStay }) };
  }

  /** The number of imports that wait for others. */
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
    let sender: Sender | undefined;
    try {
      const account = caller.account ?? ownerOf(repository.name);
      const { signal } = running;
      if (source === undefined) {
        leave = await this.#long.enter(account, signal);
        running.start(`fetching ${shown((request.source as { url: string }).url)}`);
        source = await openUrl((request.source as { url: string }).url, this.#fetch, signal, this.limits.importBytes);
      }
      const mayStay = (rate: () => number, waitedMs: number): boolean =>
        sender === undefined || this.#slow.mayStay(sender, rate, waitedMs);
      bytes = stoppable(source.chunks, signal, this.#sender(mayStay));
      ahead = await readAhead(bytes, SHORT_BYTES, this.#ahead);
      leave ??= await (ahead.bytes === undefined ? this.#long : this.#short).enter(account, signal);
      if (ahead.bytes === undefined) sender = this.#slow.enter(account);
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
      // The library reports every abort alike. The reason says whether the repository was deleted.
      throw running.signal.aborted ? running.signal.reason : error;
    } finally {
      leave?.();
      if (sender !== undefined) this.#slow.leave(sender);
      ahead?.release();
      // For an import that failed before its source was read.
      await bytes?.return(undefined);
      source?.close();
    }
  }

  #documentOptions(
    { commit, ...request }: ImportRequest,
    source: OpenedSource,
    caller: Caller,
    graph?: Graph,
    signal?: AbortSignal,
  ): HostLoadOptions {
    return {
      message: commit?.message,
      ifRevision: commit?.ifRevision,
      id: commit?.id,
      records: commit?.records,
      author: commit?.author ?? caller.account,
      baseIRI: request.baseIRI ?? source.url,
      jsonLd: request.jsonLd,
      loadDocument: this.loadDocument,
      graph,
      signal,
      format: source.format,
      replace: request.replace === true,
      sourceName: source.name,
      maxBytes: this.limits.importBytes,
      maxRatio: this.limits.importRatio,
    };
  }

  #loadOptions(request: ImportRequest, source: OpenedSource, running: RunningJob, caller: Caller): HostLoadOptions {
    const skipped = new SkippedLines(running);
    return {
      ...this.#documentOptions(request, source, caller),
      ...(source.bytesTotal === undefined ? {} : { bytesTotal: source.bytesTotal }),
      ...(source.bytesRead === undefined ? {} : { bytesRead: source.bytesRead }),
      ...(request.onError === undefined ? {} : { onError: request.onError }),
      ...(request.maxErrors === undefined ? {} : { maxErrors: request.maxErrors }),
      onProblem: (problem) => skipped.add(problem),
      signal: running.signal,
      records: (revision) => [
        ...(request.commit?.records?.(revision) ?? []),
        running.completion(completed(source.name, running.job), revision.id),
      ],
      onProgress: (progress) => report(running, source.name, progress),
    };
  }
}

/** Whether nothing of an import can be long, nor be told but its end: a plain document of one graph at most, none of whose lines are skipped. */
function isShort({ source, graphs = [], onError, clientRequestId }: ImportRequest): boolean {
  return (
    'body' in source &&
    source.bytesRead === undefined &&
    (source.bytesTotal ?? Infinity) <= SHORT_DOCUMENT_BYTES &&
    graphs.length <= 1 &&
    onError !== 'skip' &&
    clientRequestId === undefined
  );
}

const completed = (name: string, { statements = 0, problemCount = 0 }: Job): string =>
  `imported ${name}: ${String(statements)} statements read` +
  (problemCount === 0 ? '' : `, ${String(problemCount)} lines skipped`);

function report(running: RunningJob, name: string, progress: LoadProgress): void {
  // An import into several graphs commits after this phase.
  if (progress.phase === 'done') return;
  const { phase, bytesRead, bytesTotal, quads, fraction } = progress;
  const read = bytesTotal === undefined ? bytesText(bytesRead) : `${bytesText(bytesRead)} of ${bytesText(bytesTotal)}`;
  // Reading pauses during indexing. The indexed share shows that the import goes on.
  const indexed = `${String(Math.floor(quads * progress.indexedShare))} of them indexed`;
  const message = `${phase} ${name}: ${read}, ${String(quads)} statements, ${indexed}`;
  running.progress({ message, bytesRead, bytesTotal, statements: quads }, fraction);
}
