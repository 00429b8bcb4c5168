/** The queue of documents: one after the other, each a revision. It goes on while other pages are shown. */
import { signal } from '@preact/signals';
import { ApiError, asProblem, isAbort, type Problem } from '../api/errors.js';
import {
  abortJob,
  type Effect,
  findJob,
  getJob,
  hasLines,
  type JobRecord,
  previewUpload,
  problemOfJob,
  type Upload,
  upload,
} from '../api/imports.js';
import { getJson, parametersOf } from '../api/client.js';
import { listRevisions, type RevisionRecord } from '../api/revisions.js';
import { isPassing, isWorthAgain, MOST_ATTEMPTS, online } from '../api/waiting.js';
import { text } from '../messages/en.js';
import { status } from './notices.js';
import { readRepositories } from './repository.js';
import { readRevisions } from './revision.js';

export interface ImportOptions {
  readonly repository: string;
  /** Undefined where the server serves one alone. It stays the same when pages show another one. */
  readonly branch: string | undefined;
  readonly graph: string;
  readonly replace: boolean;
  /** Empty for the name of the document. */
  readonly message: string;
  /** Leaves out lines that are not well formed, in formats that have lines. */
  readonly skip: boolean;
  /** Only asks what would change. */
  readonly dryRun: boolean;
}

/** Makes what is sent, where that is not the file itself, and tells the share that is done. */
export type MakeContent = (signal: AbortSignal, onProgress: (share: number) => void) => Promise<Blob>;

export interface ImportedFile {
  readonly name: string;
  readonly content: Blob | MakeContent;
}

export type Phase = 'waiting' | 'mapping' | 'uploading' | 'loading' | 'completed' | 'failed' | 'cancelled';

export interface Import extends ImportOptions {
  readonly id: number;
  readonly name: string;
  readonly phase: Phase;
  /** Of the phase, 0 to 1. */
  readonly share: number;
  /** When the phase began, in milliseconds. */
  readonly since: number;
  readonly statements?: number | undefined;
  /** Statements a second. */
  readonly rate?: number | undefined;
  readonly revision?: RevisionRecord | undefined;
  /** Of one that was only asked about. */
  readonly effect?: Effect | undefined;
  readonly isReverted?: boolean;
  readonly problem?: Problem | undefined;
  /** The job that loads it. */
  readonly job?: string | undefined;
  /** How many lines were skipped. */
  readonly problems?: number | undefined;
}

export const imports = signal<readonly Import[]>([]);

interface Waiting {
  readonly content: Blob | MakeContent;
  readonly aborting: AbortController;
}

const waiting = new Map<number, Waiting>();
let count = 0;
let running = false;

const change = (id: number, changes: Partial<Import>): void =>
  void (imports.value = imports.value.map((each) => (each.id === id ? { ...each, ...changes } : each)));

/** Adds documents to the queue; they are loaded in this order. */
export function enqueue(documents: readonly ImportedFile[], options: ImportOptions): void {
  const added = documents.map(({ name, content }): Import => {
    const id = count++;
    waiting.set(id, { content, aborting: new AbortController() });
    return { ...options, id, name, phase: 'waiting', share: 0, since: Date.now() };
  });
  imports.value = [...imports.value, ...added];
  void work();
}

export function cancelImport(id: number): void {
  waiting.get(id)?.aborting.abort();
  if (imports.value.find((each) => each.id === id)?.phase === 'waiting') change(id, { phase: 'cancelled' });
}

/** Loads a document that has failed once more. */
export function retryImport(id: number, skip: boolean): void {
  const failed = waiting.get(id);
  if (failed === undefined) return;
  waiting.set(id, { ...failed, aborting: new AbortController() });
  change(id, { phase: 'waiting', share: 0, skip, problem: undefined, problems: undefined, job: undefined });
  void work();
}

/** Imports what was only asked about. */
export function importAsked(id: number): void {
  change(id, { dryRun: false, effect: undefined });
  const skip = imports.value.find((each) => each.id === id)?.skip === true;
  retryImport(id, skip);
}

export const markReverted = (id: number): void => change(id, { isReverted: true });

const isUnderWay = ({ phase }: Import): boolean => ['waiting', 'mapping', 'uploading', 'loading'].includes(phase);

export function clearFinished(): void {
  for (const each of imports.value) if (!isUnderWay(each)) waiting.delete(each.id);
  imports.value = imports.value.filter(isUnderWay);
}

async function work(): Promise<void> {
  if (running) return;
  running = true;
  try {
    for (;;) {
      const next = imports.value.find(({ phase }) => phase === 'waiting');
      if (next === undefined) break;
      await load(next);
    }
  } finally {
    running = false;
  }
  await Promise.all([readRevisions(), readRepositories()]);
}

async function load({ id, name, ...options }: Import): Promise<void> {
  const { content: made, aborting } = waiting.get(id)!;
  const { repository, branch } = options;
  const { signal } = aborting;
  const message = options.message || name;
  const begin = (phase: Phase): void => change(id, { phase, share: 0, since: Date.now() });
  try {
    const onProgress = (share: number): void => change(id, { share });
    if (typeof made === 'function') begin('mapping');
    const content = typeof made === 'function' ? await made(signal, onProgress) : made;
    begin('uploading');
    const skip = options.skip && hasLines(name);
    const place = { repository, branch };
    const before = await getRevision(place, 'HEAD');
    // What a table becomes has a format of its own.
    const sentName = typeof made === 'function' ? 'mapped.nt.gz' : name;
    const document = { ...options, name: sentName, content, message, skip, signal, onProgress };
    if (options.dryRun) {
      const effect = await previewUpload({ ...document, requestId: newId() });
      change(id, { phase: 'completed', share: 1, effect });
      status.value = `${name}: ${text.import.phases.completed}`;
      return;
    }
    const send = (): Promise<string | undefined> => sent({ ...document, requestId: newId() });
    const record = await loaded(id, send, signal, () => isMade(place, before, message));
    const after = await getRevision(place, record?.revision ?? 'HEAD');
    // A document that says nothing new makes no revision, while others may make some.
    const isOwn = after.uuid !== before.uuid && after.message?.trim() === message.trim();
    change(id, { phase: 'completed', share: 1, revision: isOwn ? after : undefined });
    status.value = `${name}: ${text.import.phases.completed}`;
    waiting.delete(id);
  } catch (error) {
    const phase = isAbort(error) ? 'cancelled' : 'failed';
    change(id, phase === 'cancelled' ? { phase } : { phase, problem: named(asProblem(error), name) });
    status.value = `${name}: ${text.import.phases[phase]}`;
    // What has failed can be tried again.
    if (phase === 'cancelled') waiting.delete(id);
  }
}

/** The server knows the document as the body of a request. */
const named = (problem: Problem, name: string): Problem => ({
  ...problem,
  message: problem.message.replaceAll(/\b(?:the )?request body\b/g, name),
});

/**
 * Sends a document, and follows its job. A server that was started again knows nothing of a job before: where it has not made the revision, the
 * document is sent once more.
 */
async function loaded(
  id: number,
  send: () => Promise<string | undefined>,
  signal: AbortSignal,
  isDone: () => Promise<boolean>,
): Promise<JobRecord | undefined> {
  for (let attempt = 1; ; attempt++) {
    const job = await send();
    change(id, { phase: 'loading', share: 0, since: Date.now(), job });
    if (job === undefined) return undefined;
    try {
      return await follow(id, job, signal);
    } catch (error) {
      if (asProblem(error).code !== 'JOB_NOT_FOUND') throw error;
      if (await isDone()) return undefined;
      signal.throwIfAborted();
      if (attempt >= MOST_ATTEMPTS) throw error;
      change(id, { phase: 'uploading', share: 0, since: Date.now(), job: undefined });
    }
  }
}

/** Whether a revision with this message came after another one. */
async function isMade({ repository, branch }: Place, before: RevisionRecord, message: string): Promise<boolean> {
  const found = await listRevisions(repository, { message, branch, limit: 1 });
  return found.some((revision) => revision.ordinal > before.ordinal && revision.message?.trim() === message.trim());
}

type Place = Pick<ImportOptions, 'repository' | 'branch'>;

const getRevision = ({ repository, branch }: Place, ref: string): Promise<RevisionRecord> =>
  getJson(`${repository}/revisions/${encodeURIComponent(ref)}${parametersOf({ branch })}`);

/** For one request. `crypto.randomUUID` is missing on pages that came without encryption. */
const newId = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

/**
 * The job of a document. Where its answer is missing, the server may have begun to load it nevertheless; else the document is sent again. So it is
 * where the server was busy.
 */
async function sent(document: Upload): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await upload(document);
    } catch (error) {
      const job = await begun(document, error);
      if (job !== undefined && job.status !== 'failed') return job.uuid;
      const useless = isAbort(error) || attempt >= MOST_ATTEMPTS;
      if (useless || !(await isWorthAgain(error, attempt, document.signal))) throw error;
    }
  }
}

async function begun({ repository, requestId, signal }: Upload, error: unknown): Promise<JobRecord | undefined> {
  // Whoever cancels does not wait for the server.
  if (isAbort(error)) return findJob(repository, requestId, undefined, 'never').catch(() => undefined);
  if (asProblem(error).code !== 'OFFLINE') return undefined;
  return findJob(repository, requestId, signal);
}

const LOST_JOB: Problem = { status: 404, code: 'JOB_NOT_FOUND', message: '' };
const POLL_MS = 250;
const LONGEST_POLL_MS = 10_000;

/**
 * Until the job ends; a server that is out of reach or busy is asked again. Cancelling aborts the job on the server, and nothing of the
 * document is kept then.
 */
async function follow(id: number, job: string, signal: AbortSignal): Promise<JobRecord> {
  let wasOut = false;
  // Another request of the page may have met the outage.
  const unsubscribe = online.subscribe((isOnline) => (wasOut ||= !isOnline));
  try {
    return await ended(id, job, signal, () => wasOut);
  } finally {
    unsubscribe();
  }
}

async function ended(id: number, job: string, signal: AbortSignal, wasOut: () => boolean): Promise<JobRecord> {
  let aborted = false;
  let lost = false;
  /** Whether somebody else has cancelled it, or the server ends. */
  let ending = false;
  let pauseMs = POLL_MS;
  for (;;) {
    try {
      if (signal.aborted && !aborted) await abortJob(job);
      aborted = signal.aborted;
      const record = await getJob(job);
      const { status: state, pct, statements, rate, problems } = record;
      change(id, { share: pct / 100, statements, rate, problems });
      if (state === 'completed') return record;
      // A server that was started again has ended what it had not finished.
      if ((lost || wasOut()) && !signal.aborted && (state === 'aborted' || state === 'failed'))
        throw new ApiError(LOST_JOB);
      // The server may have noticed by itself that its client has gone.
      const isOver = state === 'aborted' || (state === 'failed' && aborted);
      // A server that ends tells so of its jobs, too: then it does not answer the next time.
      if (isOver && (aborted || ending)) throw new DOMException('cancelled', 'AbortError');
      ending = isOver;
      if (state === 'failed') throw new ApiError(problemOfJob(record));
      pauseMs = POLL_MS;
    } catch (error) {
      if (!isPassing(asProblem(error)) && ![502, 504].includes(asProblem(error).status)) throw error;
      lost ||= asProblem(error).status !== 429;
      pauseMs = Math.min(2 * pauseMs, LONGEST_POLL_MS);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
