/** Changes of a repository between two copies. */
import { iri, literal, quad, type QuadrilleError, type Repository } from 'quadrille';
import type { Random } from '../model/operations.mjs';
import { below, pick } from '../model/operations.mjs';

type Quads = ReturnType<typeof quad>[];

/** Quads of few terms, so that changes meet each other. */
export function quads(random: Random, count: number): Quads {
  return Array.from({ length: count }, () => {
    const graph = random() < 0.3 ? iri(`urn:g${String(below(random, 2))}`) : undefined;
    const object = random() < 0.2 ? literal('x'.repeat(below(random, 60))) : iri(`urn:o${String(below(random, 4))}`);
    return quad(iri(`urn:s${String(below(random, 6))}`), iri(`urn:p${String(below(random, 3))}`), object, graph);
  });
}

type Change = (branch: Repository, random: Random, main: Repository) => Promise<unknown>;

async function anyRevision(branch: Repository, random: Random): Promise<string> {
  return pick(random, await branch.log().toArray()).id;
}

const otherBranch = async (branch: Repository, random: Random): Promise<string> =>
  pick(
    random,
    (await branch.branches.list().toArray()).map(({ name }) => name),
  );

const CHANGES: Readonly<Record<string, readonly [number, Change]>> = {
  add: [8, (branch, random) => branch.add(quads(random, 1 + below(random, 4)), { message: 'add' })],
  remove: [5, (branch, random) => branch.remove(quads(random, 1 + below(random, 12)), { author: 'ann' })],
  large: [1, (branch, random) => branch.add(quads(random, 40))],
  clear: [1, (branch) => branch.remove({ predicate: iri('urn:p1') })],
  revert: [1, async (branch, random) => branch.revert(await anyRevision(branch, random))],
  reset: [1, async (branch, random) => branch.branches.reset(await anyRevision(branch, random))],
  branch: [
    3,
    async (branch, random, main) =>
      main.branches.create(`b${String(below(random, 5))}`, { from: await anyRevision(branch, random) }),
  ],
  'branch of an empty revision': [
    1,
    (_, random, main) => main.branches.create(`e${String(below(random, 2))}`, { from: 'TAIL' }),
  ],
  merge: [
    3,
    async (branch, random) =>
      branch.branches.merge(await otherBranch(branch, random), { strategy: pick(random, ['ours', 'theirs'] as const) }),
  ],
  'fast-forward': [
    3,
    async (branch, random) =>
      branch.branches.merge(await otherBranch(branch, random), { fastForward: true, onConflict: 'ours' }),
  ],
  'cherry-pick': [
    1,
    async (branch, random, main) =>
      branch.branches.cherryPick(await anyRevision(main, random), { onConflict: 'theirs' }),
  ],
  'delete a branch': [
    1,
    async (branch, random) => branch.branches.delete(await otherBranch(branch, random), { force: true }),
  ],
  rename: [
    1,
    async (branch, random) => branch.branches.rename(await otherBranch(branch, random), `n${String(below(random, 3))}`),
  ],
  tag: [
    2,
    async (branch, random, main) => main.tags.set(`t${String(below(random, 4))}`, await anyRevision(branch, random)),
  ],
  untag: [1, (_, random, main) => main.tags.delete(`t${String(below(random, 4))}`)],
  prefix: [1, (_, random, main) => main.namespaces.set('ex', `urn:ex${String(below(random, 3))}:`)],
  'trim last': [3, (branch, random) => branch.maintenance.trim({ last: 1 + below(random, 4) })],
  'trim before': [2, async (branch, random) => branch.maintenance.trim({ from: await anyRevision(branch, random) })],
  'trim all': [1, (branch, random) => branch.maintenance.trim({ last: 1 + below(random, 2), mode: 'delete-history' })],
  erase: [
    2,
    (branch, random) =>
      branch.maintenance.erase({ term: iri(`urn:s${String(below(random, 6))}`) }, { reason: 'asked for' }),
  ],
  compact: [1, (branch) => branch.maintenance.compact()],
  rebuild: [1, (branch) => branch.maintenance.rebuild()],
};

const WEIGHTED = Object.entries(CHANGES).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name));

/** What a change may be refused with: the dice do not know what is possible. */
const REFUSED: ReadonlySet<string> = new Set([
  'ALREADY_EXISTS',
  'BRANCH_DEFAULT',
  'BRANCH_NOT_FOUND',
  'INVALID_NAME',
  'INVALID_OPTION',
  'MERGE_CONFLICT',
  'NOTHING_TO_ERASE',
  'PRECONDITION_FAILED',
  'REVISION_CONFLICT',
]);

/** Does one change on one of the branches. Returns what it was. */
export async function change(main: Repository, random: Random): Promise<string> {
  const name = pick(random, WEIGHTED);
  const on =
    random() < 0.5
      ? 'main'
      : pick(
          random,
          (await main.branches.list().toArray()).map(({ name }) => name),
        );
  let end = '';
  try {
    await CHANGES[name]![1](await main.branches.open(on), random, main);
  } catch (error) {
    const { code } = error as QuadrilleError;
    if (!REFUSED.has(code)) throw error;
    end = `: ${code}`;
  }
  return `${name} on ${on}${end}`;
}
