/** Verifies every repository of a store. A repository that cannot be opened is reported as a problem. */
import { CorruptionError, NotFoundError } from '@quadrille/model';
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

// Returns undefined if the repository was deleted meanwhile.
async function verifyOne(name: string, open: (name: string) => Promise<Verified>): Promise<VerifyReport | undefined> {
  try {
    return await (await open(name)).maintenance.verify();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (!(error instanceof CorruptionError)) throw error;
    return { ok: false, checked: {}, problems: [{ code: error.code, message: error.message, where: name }] };
  }
}
