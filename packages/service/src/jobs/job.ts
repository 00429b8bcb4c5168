/** A job: something that takes a while, and what is known of it. */
import { isoTime } from '../text.js';

export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'aborted';
export type JobKind = 'import' | 'create' | 'clear' | 'delete' | 'query';

/** Plain JSON, as it is stored. Times are ISO 8601 in UTC. */
export interface Job {
  readonly uuid: string;
  /** Who asked for it; `undefined`: the operator. */
  readonly account?: string | undefined;
  /** `account/repository`. */
  readonly repository: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** For a person. */
  readonly message: string;
  /** 0 to 99, never falling; 100 if and only if it is completed. */
  readonly percent: number;
  /** When it was asked for, when it began to run, last changed, and ended. */
  readonly created: string;
  readonly started?: string | undefined;
  readonly changed: string;
  readonly finished?: string | undefined;
  /** Of an import, as far as it is known. */
  readonly bytesRead?: number | undefined;
  readonly bytesTotal?: number | undefined;
  readonly statements?: number | undefined;
  /** The head that it left: for an import its own revision, or the one before where it changed nothing. */
  readonly revision?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** What changes while it runs. */
export type JobChange = Partial<Omit<Job, 'uuid' | 'account' | 'repository' | 'kind' | 'created'>>;

export const isWorking = ({ status }: Job): boolean => status === 'pending' || status === 'running';

export const isJobStatus = (text: string): text is JobStatus =>
  ['pending', 'running', 'completed', 'failed', 'aborted'].includes(text);

const MAX_MESSAGE_LENGTH = 1000;
const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;

/** Its texts hold names that clients choose, and messages of errors: they are cut. */
export function shortened(job: Job): Job {
  const { message, error } = job;
  return {
    ...job,
    message: cut(message),
    ...(error === undefined ? {} : { error: { ...error, message: cut(error.message) } }),
  };
}

/** A job as clients see it (specification, 2.3). */
export interface JobRecord {
  readonly uuid: string;
  readonly status: JobStatus;
  readonly working: boolean;
  readonly time: string;
  readonly message: string;
  readonly pct: number;
  readonly operation: JobKind;
  readonly repository_id: string;
  readonly created: string;
  readonly revision?: string;
}

export function jobRecord(job: Job): JobRecord {
  return {
    uuid: job.uuid,
    status: job.status,
    working: isWorking(job),
    time: isoTime(new Date(job.changed)),
    message: job.message,
    pct: job.percent,
    operation: job.kind,
    repository_id: job.repository,
    created: isoTime(new Date(job.created)),
    ...(job.revision === undefined ? {} : { revision: job.revision }),
  };
}
