/** The manifest of a backup: which store it is of, its repositories, and which records of which segments it consists of. */
import { damagedBackup } from './errors.js';
import type { RepositoryFacts } from './facts.js';

export const BACKUP_FORMAT = 1;
/** Largest size of a segment, in bytes. */
export const SEGMENT_BYTES = 64 * 1024 * 1024;

/** Records of a segment: those from the first number on, as many as the second says. */
export type RecordSpan = readonly [first: number, count: number];

/** A segment of a backup: a file with records. */
export interface SegmentEntry {
  /** Name of the file. */
  readonly name: string;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly sha256: string;
  /** Number of records in the file. */
  readonly records: number;
  /** Bytes of the index and the trailer at the end, and their SHA-256. */
  readonly indexBytes: number;
  /** SHA-256 of the index and the trailer. */
  readonly indexSha256: string;
  /** The records that belong to the backup. Missing: all. */
  readonly live?: readonly RecordSpan[];
}

/** A repository of a backup. */
export interface RepositoryEntry {
  /** `account/repository`. */
  readonly name: string;
  /** Number of the repository in keys. */
  readonly id: number;
  /** Number of the newest revision. */
  readonly head: number;
  /** UUID of the newest revision. It and its time are missing if the repository was dropped during the backup. */
  readonly revision?: string;
  /** Time of the newest revision (ISO 8601). */
  readonly time?: string;
}

/** The state of a run of a backup, and its written segments. */
export interface Attempt {
  /** UUID of the store, if it has one. */
  readonly store?: string;
  /** Random name of the state that was copied. The store keeps it: so a later backup knows that it is of the same store. */
  readonly stamp: string;
  /** By number of the repository. */
  readonly facts: Readonly<Record<string, RepositoryFacts>>;
  /** The segments that were written. */
  readonly segments: readonly SegmentEntry[];
}

/** The manifest of a complete backup. */
export interface Manifest extends Omit<Attempt, 'stamp'> {
  /** Without it, no later backup can build on this one. */
  readonly stamp?: string;
  /** Version of the format of backups. */
  readonly format: number;
  /** Random name of all backups that follow one another in one place. */
  readonly set: string;
  /** Time at which the state was taken, ISO 8601. */
  readonly created: string;
  /** The repositories of the store at that time. */
  readonly repositories: readonly RepositoryEntry[];
  /** Number of records of all segments that belong to the backup. */
  readonly entries: number;
}

const HASH = /^[0-9a-f]{64}$/;
const RANDOM = /^[0-9a-f]{32}$/;
/** No other name leads to a file: so none leads out of the folder. */
const SEGMENT_NAME = /^[0-9a-f]{8}-\d{6}\.qbk$/;

/** Whether a file name is that of a segment. */
export const isSegmentName = (name: string): boolean => SEGMENT_NAME.test(name);
/** Name of the n-th segment of a run. */
export const segmentName = (run: string, n: number): string => `${run.slice(0, 8)}-${String(n).padStart(6, '0')}.qbk`;

type Fields = Readonly<Record<string, unknown>>;

/** Checks a value that was read as JSON. @throws CorruptionError `BACKUP_DAMAGED`, which names what is wrong */
export function checkManifest(value: unknown): Manifest {
  const fields = objectIn(value, 'the manifest');
  const { format } = fields;
  if (format !== BACKUP_FORMAT)
    throw damagedBackup(
      `its manifest has format ${String(format)}, this version of Quadrille reads format ${BACKUP_FORMAT}`,
    );
  check(matches(fields['set'], RANDOM), 'the name of the set');
  check(fields['stamp'] === undefined || matches(fields['stamp'], RANDOM), 'the stamp');
  check(typeof fields['created'] === 'string' && !Number.isNaN(Date.parse(fields['created'])), 'the time');
  check(isCount(fields['entries']), 'the number of entries');
  check(Array.isArray(fields['repositories']), 'the list of repositories');
  for (const repository of fields['repositories'] as unknown[]) checkRepository(repository);
  checkAttemptFields(fields);
  const manifest = value as Manifest;
  const live = manifest.segments.reduce((sum, segment) => sum + liveRecords(segment), 0);
  check(live === manifest.entries, 'the number of entries');
  return manifest;
}

/** Like {@link checkManifest}, for a run that has not finished. */
export function checkAttempt(value: unknown): Attempt {
  const fields = objectIn(value, 'an attempt');
  check(matches(fields['stamp'], RANDOM), 'the stamp');
  checkAttemptFields(fields);
  return value as Attempt;
}

/** Whether a value is the name of a set of backups. */
export const isSetName = (value: unknown): value is string => matches(value, RANDOM);

/** Number of the records of a segment that belong to the backup. */
export const liveRecords = ({ live, records }: SegmentEntry): number =>
  live === undefined ? records : live.reduce((sum, [, count]) => sum + count, 0);

function checkAttemptFields(fields: Fields): void {
  check(fields['store'] === undefined || typeof fields['store'] === 'string', 'the id of the store');
  for (const [id, facts] of Object.entries(objectIn(fields['facts'], 'the facts'))) {
    check(/^\d{1,10}$/.test(id), 'the number of a repository');
    const { rewritten, lines, ...numbers } = objectIn(facts, 'the facts');
    check(typeof rewritten === 'string' && Object.values(numbers).every(isCount), 'the facts of a repository');
    for (const [line, known] of Object.entries(objectIn(lines ?? {}, 'the facts of lines'))) {
      const { head, nextRun } = objectIn(known, 'the facts of a line');
      check(/^\d{1,10}$/.test(line) && isCount(head) && isCount(nextRun), 'the facts of a line');
    }
  }
  check(Array.isArray(fields['segments']), 'the list of segments');
  const names = new Set<string>();
  for (const segment of fields['segments'] as unknown[]) names.add(checkSegment(segment).name);
  check(names.size === (fields['segments'] as unknown[]).length, 'the list of segments');
}

function checkRepository(value: unknown): void {
  const { name, id, head, revision, time } = objectIn(value, 'a repository');
  check(typeof name === 'string' && name.length > 0 && isCount(id) && isCount(head), 'a repository');
  check(
    [revision, time].every((text) => text === undefined || typeof text === 'string'),
    'a repository',
  );
}

function checkSegment(value: unknown): SegmentEntry {
  const { name, bytes, sha256, records, indexBytes, indexSha256, live } = objectIn(value, 'a segment');
  check(matches(name, SEGMENT_NAME), 'the name of a segment');
  check([bytes, records, indexBytes].every(isCount), 'the sizes of a segment');
  check((bytes as number) <= 2 * SEGMENT_BYTES && (indexBytes as number) <= (bytes as number), 'the size of a segment');
  check(matches(sha256, HASH) && matches(indexSha256, HASH), 'the hash of a segment');
  check(live === undefined || isSpans(live, records as number), 'the records of a segment');
  return value as SegmentEntry;
}

function isSpans(value: unknown, records: number): boolean {
  if (!Array.isArray(value)) return false;
  let end = 0;
  return value.every((span: unknown) => {
    if (!Array.isArray(span) || span.length !== 2 || !span.every(isCount)) return false;
    const [first, count] = span as [number, number];
    const fits = first >= end && count > 0 && first + count <= records;
    end = first + count;
    return fits;
  });
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const matches = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

function objectIn(value: unknown, what: string): Fields {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), what);
  return value as Fields;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw damagedBackup(`${what} in its manifest is not valid`);
}
