/** Verifies every repository of a store, and its records beside them. A repository that cannot be opened is reported as a problem. */
import { CorruptionError, NotFoundError } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import { Area } from '../format/layout.js';
import type { VerifyProblem, VerifyReport } from './verify.js';

/** The part of a repository that verification uses. */
interface Verified {
  readonly maintenance: { verify(): Promise<VerifyReport> };
}

/** Joins the reports of all repositories and adds up their counts. */
export async function verifyRepositories(
  names: Iterable<string>,
  open: (name: string) => Promise<Verified>,
): Promise<VerifyReport> {
  const problems: VerifyProblem[] = [];
  const checked: Record<string, number> = { repositories: 0 };
  for (const name of names) {
    const report = await verifyOne(name, open);
    if (report === undefined) continue;
    checked['repositories']!++;
    problems.push(...report.problems);
    for (const [what, count] of Object.entries(report.checked)) checked[what] = (checked[what] ?? 0) + count;
  }
  return { ok: problems.length === 0, checked, problems };
}

/** Areas with records of the whole store, beside those that have to be read before a repository is opened. */
const RECORDS: Readonly<Record<number, string>> = {
  [Area.account]: 'accounts',
  [Area.accountNamespace]: 'namespaces of accounts',
  [Area.dropped]: 'deleted repositories',
  [Area.service]: 'records of the server',
};

/** Reads the records of accounts and of the server, of which verification of repositories sees nothing. */
export async function verifyRecords(engine: StorageEngine): Promise<VerifyProblem[]> {
  const problems: VerifyProblem[] = [];
  for (const [area, where] of Object.entries(RECORDS)) {
    const range = { gte: Uint8Array.of(Number(area)), lt: Uint8Array.of(Number(area) + 1) };
    for await (const chunk of engine.range(range, { read: 'keys' })) {
      for (const { key } of chunk) {
        try {
          await engine.get(key);
        } catch (error) {
          if (!(error instanceof CorruptionError)) throw error;
          problems.push({ code: error.code, message: error.message, where });
        }
      }
    }
  }
  return problems;
}

/** Errors for a repository that was deleted or moved. */
const GONE: ReadonlySet<string> = new Set(['REPOSITORY_NOT_FOUND', 'REPOSITORY_DELETED', 'REPOSITORY_MOVED']);

// Returns undefined if the repository was deleted meanwhile.
async function verifyOne(name: string, open: (name: string) => Promise<Verified>): Promise<VerifyReport | undefined> {
  try {
    return await (await open(name)).maintenance.verify();
  } catch (error) {
    if (error instanceof NotFoundError && GONE.has(error.code)) return undefined;
    // A repository that cannot be opened lacks something, if nothing of it is damaged.
    if (!(error instanceof CorruptionError || error instanceof NotFoundError)) throw error;
    return { ok: false, checked: {}, problems: [{ code: error.code, message: error.message, where: name }] };
  }
}
