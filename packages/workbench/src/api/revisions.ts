/** Revisions, tags, differences, and undoing. */
import { getJson, parametersOf, request } from './client.js';

export interface RevisionRecord {
  readonly uuid: string;
  readonly ordinal: number;
  readonly datetime: string;
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  readonly agent: string | null;
  readonly message: string | null;
  readonly predecessor: string | null;
  /** The predecessor, and what was merged. Earlier servers do not tell. */
  readonly parents?: readonly string[];
  /** The branch that has made it, in the log of all branches; `null` where that was deleted. */
  readonly branch?: string | null;
  /** How often it violates the shapes, where these report. */
  readonly violations?: number;
}

export const parentsOf = ({ parents, predecessor }: RevisionRecord): readonly string[] =>
  parents ?? (predecessor === null ? [] : [predecessor]);

/** One quad of a difference. Terms are in N-Triples syntax. */
export interface ChangeRecord {
  readonly op: 'add' | 'remove';
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph: string | null;
}

export interface LogFilter {
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  readonly from?: string | undefined;
  readonly limit?: number;
  readonly before?: string | undefined;
  /** Default the one that is shown. */
  readonly branch?: string | undefined;
  /** The revisions of all branches. */
  readonly branches?: 'all' | undefined;
}

/** Newest first. */
export const listRevisions = (
  repository: string,
  filter: LogFilter = {},
  signal?: AbortSignal,
): Promise<RevisionRecord[]> => getJson(`${repository}/revisions${parametersOf({ ...filter })}`, signal);

/** For whoever asks now and then. */
export const newestRevision = async (repository: string): Promise<RevisionRecord | undefined> =>
  (await getJson<RevisionRecord[]>(`${repository}/revisions?limit=1`, undefined, 'never'))[0];

/** Neighbouring revisions counted together. */
export interface RevisionBucket {
  /** The ordinals of its first and last revision. */
  readonly from: number;
  readonly until: number;
  readonly added: number;
  readonly removed: number;
}

/** All revisions in at most so many buckets, the oldest first. */
export const listBuckets = (repository: string, most: number): Promise<RevisionBucket[]> =>
  getJson(`${repository}/revisions${parametersOf({ buckets: most })}`);

/** One revision by any reference; a time names the last one at or before it. */
export const getRevision = (repository: string, ref: string, signal?: AbortSignal): Promise<RevisionRecord> =>
  getJson(`${repository}/revisions/${encodeURIComponent(refOf(ref))}`, signal);

export const listTags = (repository: string): Promise<Readonly<Record<string, RevisionRecord>>> =>
  getJson(`${repository}/refs`);

/** The form in which a request names a revision: `#7` for a number, else the reference itself. */
export const refOf = (at: string): string => (/^\d+$/.test(at) ? `#${at}` : at);

interface Difference {
  readonly changes: ChangeRecord[];
  /** Whether there are more. */
  readonly cut: boolean;
}

/** What was added and removed between two revisions; an answer that is too long is cut at `limit` quads. */
export async function readDiff(
  repository: string,
  from: string,
  to: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Difference> {
  const path = `${repository}/diff${parametersOf({ from: refOf(from), to: refOf(to) })}`;
  return readChanges(
    await request(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) }),
    limit,
  );
}

/** The changes that undoing a revision would make now. */
export async function previewRevert(
  repository: string,
  ref: string,
  limit: number,
  signal: AbortSignal,
): Promise<Difference> {
  const path = `${repository}/revisions/${encodeURIComponent(refOf(ref))}/revert?preview=1`;
  const init = { method: 'POST', headers: { Accept: 'application/json' }, signal };
  return readChanges(await request(path, init, 'always'), limit);
}

async function readChanges(response: Response, limit: number): Promise<Difference> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const changes: ChangeRecord[] = [];
  let rest = '';
  // The document has one object a line, between `[` and `]`.
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines) {
      if (line.startsWith('{')) changes.push(JSON.parse(line.replace(/,\s*$/, '')) as ChangeRecord);
      if (changes.length > limit) {
        await reader.cancel();
        return { changes: changes.slice(0, limit), cut: true };
      }
    }
    if (done) return { changes, cut: false };
  }
}

/**
 * @param head the UUID of the revision that the user knows as the current one; undefined where another one does no harm
 * @returns the UUID of the revision that the write made, of the ETag
 * @throws ApiError 412 where another revision came first
 */
export async function revert(
  repository: string,
  ref: string,
  message: string,
  head: string | undefined,
): Promise<string | undefined> {
  const path = `${repository}/revisions/${encodeURIComponent(refOf(ref))}/revert`;
  const headers = { ...messageHeader(message), ...(head === undefined ? {} : { 'If-Match': `"${head}"` }) };
  const response = await request(path, { method: 'POST', headers });
  return tagOf(response);
}

/** The UUID in the ETag of an answer. */
export const tagOf = (response: Response): string | undefined =>
  /"([0-9a-f-]{36})/.exec(response.headers.get('ETag') ?? '')?.[1];

/** Header values have no other characters than those of ASCII. */
export const messageHeader = (message: string): Record<string, string> =>
  message === '' ? {} : { 'Revision-Message': /^[\x20-\x7e]*$/.test(message) ? message : encodeURIComponent(message) };
