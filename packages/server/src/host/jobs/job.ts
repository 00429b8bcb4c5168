/** A job: a long operation on a repository, with its progress and its outcome. */
import type { SkippedLine } from 'quadrille';
import { isoTime } from '../text.js';

/** The states of a job. `completed`, `failed` and `aborted` are final. */
export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'aborted';
/** The operation of a job. */
export type JobKind = 'import' | 'create' | 'clear' | 'delete' | 'query' | 'verify' | 'compact';

/** Why a job failed. */
export interface JobError {
  /** A code of `docs/reference/errors.md`, or `INTERNAL`. */
  readonly code: string;
  /** The message for people. */
  readonly message: string;
}

/** A line that an import has skipped. */
export type LineProblem = Omit<SkippedLine, 'kind'>;

/** Plain JSON, as it is stored. Times are ISO 8601 in UTC. */
export interface Job {
  /** Its UUID. */
  readonly uuid: string;
  /** The account that asked for it; `undefined`: the operator. */
  readonly account?: string | undefined;
  /** `account/repository`. */
  readonly repository: string;
  /** The branch that it changes, if that is not `main`. */
  readonly branch?: string | undefined;
  /** The operation. */
  readonly kind: JobKind;
  /** How far it is. */
  readonly status: JobStatus;
  /** The id that the client gave its request. */
  readonly clientRequestId?: string | undefined;
  /** The state in words, for people. */
  readonly message: string;
  /** 0 to 99, never falling; 100 if and only if it is completed. */
  readonly percent: number;
  /** Times of the request, the start, the last change and the end. */
  readonly created: string;
  /** When it began to run, ISO 8601. Absent while it waits. */
  readonly started?: string | undefined;
  /** When it last changed, ISO 8601. */
  readonly changed: string;
  /** When it ended, ISO 8601. */
  readonly finished?: string | undefined;
  /** Progress of an import; a member is missing while it is unknown. */
  readonly bytesRead?: number | undefined;
  /** Length of the source in bytes, if it is known. */
  readonly bytesTotal?: number | undefined;
  /** Number of statements parsed so far. */
  readonly statements?: number | undefined;
  /** How many lines of the document were skipped, and the first of them, as far as they fit into a record. */
  readonly problemCount?: number | undefined;
  /** The first of these lines. */
  readonly problems?: readonly LineProblem[] | undefined;
  /** The head after the job: the revision of an import, or the previous revision if the import changed nothing. */
  readonly revision?: string | undefined;
  /** Why it failed. */
  readonly error?: JobError | undefined;
}

/** The members that change while a job runs. */
export type JobChange = Partial<Omit<Job, 'uuid' | 'account' | 'repository' | 'kind' | 'clientRequestId' | 'created'>>;

/** Whether a job has not ended. */
export const isWorking = ({ status }: Job): boolean => status === 'pending' || status === 'running';

/** Whether a text is a state of a job. */
export const isJobStatus = (text: string): text is JobStatus =>
  ['pending', 'running', 'completed', 'failed', 'aborted'].includes(text);

const MAX_MESSAGE_LENGTH = 1000;
const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;

/** Cuts the texts of a job. They contain names that clients choose, and messages of errors. */
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
  /** Its UUID. */
  readonly uuid: string;
  /** How far it is. */
  readonly status: JobStatus;
  /** Whether it has not ended. */
  readonly working: boolean;
  /** When it last changed, ISO 8601. */
  readonly time: string;
  /** The present step, for people. */
  readonly message: string;
  /** How far it is, from 0 to 100. */
  readonly pct: number;
  /** The operation. */
  readonly operation: JobKind;
  /** `account/repository`. */
  readonly repository_id: string;
  /** When it was created, ISO 8601. */
  readonly created: string;
  /** The branch that it changes, if that is not `main`. */
  readonly branch?: string;
  /** `Client-Request-Id` of the request that asked for it. */
  readonly client_request_id?: string;
  /** Bytes that were read of the document, and its length, where they are known. */
  readonly bytes?: number;
  /** Length of the source in bytes, if it is known. */
  readonly bytes_total?: number;
  /** Statements that were read. */
  readonly statements?: number;
  /** Statements a second since the job began to run. */
  readonly rate?: number;
  /** Lines that were skipped; `/jobs/ID/problems` tells them. */
  readonly problems?: number;
  /** UUID of the revision that it made. */
  readonly revision?: string;
}

/** A job as servers show it. */
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
    ...(job.branch === undefined ? {} : { branch: job.branch }),
    ...(job.clientRequestId === undefined ? {} : { client_request_id: job.clientRequestId }),
    ...progressOf(job),
    ...(job.revision === undefined ? {} : { revision: job.revision }),
  };
}

function progressOf({ bytesRead, bytesTotal, statements, problemCount, started, changed }: Job): Partial<JobRecord> {
  const seconds = Math.max(1, Date.parse(changed) - Date.parse(started ?? changed)) / 1000;
  return {
    ...(bytesRead === undefined ? {} : { bytes: bytesRead }),
    ...(bytesTotal === undefined ? {} : { bytes_total: bytesTotal }),
    ...(problemCount === undefined ? {} : { problems: problemCount }),
    ...(statements === undefined ? {} : { statements, rate: Math.round(statements / seconds) }),
  };
}
