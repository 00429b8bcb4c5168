/** The queue of documents: one after the other, each a revision. It goes on while other pages are shown. */
import { signal } from '@preact/signals';
import { ApiError, asProblem, isAbort, type Problem } from '../api/errors.js';
import { abortJob, getJob, problemOfJob, upload } from '../api/imports.js';
import { getJson } from '../api/client.js';
import type { RevisionRecord } from '../api/revisions.js';
import { status } from './notices.js';
import { readRepositories } from './repository.js';
import { readRevisions } from './revision.js';

export interface ImportOptions {
  readonly repository: string;
  readonly graph: string;
  readonly replace: boolean;
  /** Empty for the name of the document. */
  readonly message: string;
}

export type Phase = 'waiting' | 'uploading' | 'loading' | 'completed' | 'failed' | 'cancelled';

export interface Import extends ImportOptions {
  readonly id: number;
  readonly name: string;
  readonly phase: Phase;
  /** Of the phase, 0 to 1. */
  readonly share: number;
  readonly statements?: number | undefined;
  /** Statements a second. */
  readonly rate?: number | undefined;
  readonly revision?: RevisionRecord | undefined;
  readonly problem?: Problem;
}

export const imports = signal<readonly Import[]>([]);

interface Waiting {
  readonly content: Blob;
  readonly aborting: AbortController;
}

const waiting = new Map<number, Waiting>();
let count = 0;
let running = false;

const change = (id: number, changes: Partial<Import>): void =>
  void (imports.value = imports.value.map((each) => (each.id === id ? { ...each, ...changes } : each)));

/** Adds documents to the queue; they are loaded in this order. */
export function enqueue(
  documents: readonly { readonly name: string; readonly content: Blob }[],
  options: ImportOptions,
): void {
  const added = documents.map(({ name, content }): Import => {
    const id = count++;
    waiting.set(id, { content, aborting: new AbortController() });
    return { ...options, id, name, phase: 'waiting', share: 0 };
  });
  imports.value = [...imports.value, ...added];
  void work();
}

export function cancelImport(id: number): void {
  waiting.get(id)?.aborting.abort();
  if (imports.value.find((each) => each.id === id)?.phase === 'waiting') change(id, { phase: 'cancelled' });
}

export const clearFinished = (): void =>
  void (imports.value = imports.value.filter(({ phase }) => ['waiting', 'uploading', 'loading'].includes(phase)));

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

async function load({ id, name, repository, graph, replace, message }: Import): Promise<void> {
  const { content, aborting } = waiting.get(id)!;
  const { signal } = aborting;
  change(id, { phase: 'uploading' });
  try {
    const onProgress = (share: number): void => change(id, { share });
    const document = { repository, name, content, graph, replace, message: message || name, signal, onProgress };
    const before = (await getJson<RevisionRecord>(`${repository}/revisions/HEAD`)).uuid;
    const job = await upload(document);
    change(id, { phase: 'loading', share: 0 });
    if (job !== undefined) await follow(id, job, signal);
    const revision = await getJson<RevisionRecord>(`${repository}/revisions/HEAD`);
    change(id, { phase: 'completed', share: 1, revision: revision.uuid === before ? undefined : revision });
    status.value = name;
  } catch (error) {
    change(id, isAbort(error) ? { phase: 'cancelled' } : { phase: 'failed', problem: asProblem(error) });
  } finally {
    waiting.delete(id);
  }
}

const POLL_MS = 250;

/** Until the job ends. Cancelling aborts it on the server; nothing of the document is kept then. */
async function follow(id: number, job: string, signal: AbortSignal): Promise<void> {
  let aborted = false;
  for (;;) {
    if (signal.aborted && !aborted) {
      aborted = true;
      await abortJob(job);
    }
    const record = await getJob(job);
    change(id, { share: record.pct / 100, statements: record.statements, rate: record.rate });
    if (record.status === 'completed') return;
    if (record.status === 'aborted') throw new DOMException('cancelled', 'AbortError');
    if (record.status === 'failed') throw new ApiError(problemOfJob(record));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
