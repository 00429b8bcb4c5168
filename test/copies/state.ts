/** What a repository has: the histories of its branches, with the quads of every revision, its tags and its prefixes. */
import type { Database, Repository } from 'quadrille';

export interface BranchState {
  /** UUID of each revision, and its quads, the newest first. */
  readonly revisions: readonly { readonly id: string; readonly number: number; readonly text: string }[];
  /** All events of all quads. */
  readonly events: readonly string[];
}

export interface RepositoryState {
  readonly branches: Readonly<Record<string, BranchState>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly prefixes: Readonly<Record<string, string>>;
}

/** Without the number of erasures, which a history file does not carry. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, member: unknown) => (name === 'erasures' ? undefined : member));

async function quadsAt(branch: Repository, id: string): Promise<string> {
  const rows = (await branch.at(id).dump('nq', { canonical: true }).toArray()).join('').split('\n');
  return rows.toSorted().join('\n');
}

async function branchState(branch: Repository): Promise<BranchState> {
  const revisions = [];
  for (const revision of await branch.log().toArray()) {
    const { id, number } = revision;
    revisions.push({ id, number, text: `${textOf(revision)}\n${await quadsAt(branch, id)}` });
  }
  const events = await branch.history().toArray();
  return { revisions, events: events.map(textOf).toSorted() };
}

export async function stateOf(repository: Repository): Promise<RepositoryState> {
  const branches: Record<string, BranchState> = {};
  for (const name of (await repository.branches.list().toArray()).map(({ name }) => name))
    branches[name] = await branchState(await repository.branches.open(name));
  const tags = (await repository.tags.list().toArray())
    .map(({ name, revision }) => [name, revision] as const)
    .map(([name, { id }]) => [name, id] as const);
  const prefixes = (await repository.namespaces.list()) as Readonly<Record<string, string>>;
  return { branches, tags: Object.fromEntries(tags), prefixes };
}

/** The state of `main` alone, as a history of one branch has it. */
export const mainOf = ({ branches, tags, prefixes }: RepositoryState): RepositoryState => {
  const main = branches['main']!;
  const has = (id: string): boolean => main.revisions.some((revision) => revision.id === id);
  return { branches: { main }, tags: Object.fromEntries(Object.entries(tags).filter(([, id]) => has(id))), prefixes };
};

/** Whether a trim of one branch has made another record of a revision that others have too. A history file has each revision once. */
export function isAmbiguous({ branches }: RepositoryState): boolean {
  const texts = new Map<string, string>();
  for (const { revisions } of Object.values(branches))
    for (const { id, text } of revisions) {
      if ((texts.get(id) ?? text) !== text) return true;
      texts.set(id, text);
    }
  return false;
}

const quadsOf = (text: string): string => text.slice(text.indexOf('\n'));

/** The first revision of a branch that a copy does not have with the same quads; `undefined` if it has them all. */
export function missing(copy: RepositoryState, due: RepositoryState): string | undefined {
  for (const [name, { revisions }] of Object.entries(due.branches)) {
    const found = new Map(copy.branches[name]?.revisions.map(({ id, text }) => [id, quadsOf(text)]));
    const other = revisions.find(({ id, text }) => found.get(id) !== quadsOf(text));
    if (other !== undefined) return `revision ${String(other.number)} of ${name}`;
  }
  return undefined;
}

/** The first thing in which two states differ; `undefined` if they are the same. */
export function difference(found: unknown, due: unknown, at = ''): string | undefined {
  if (typeof found !== 'object' || typeof due !== 'object' || found === null || due === null)
    return Object.is(found, due) ? undefined : `${at}: ${String(found)} in place of ${String(due)}`;
  for (const name of new Set([...Object.keys(due), ...Object.keys(found)])) {
    const [one, two] = [found, due].map((value) => (value as Record<string, unknown>)[name]);
    const other = difference(one, two, `${at}/${name}`);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** @throws Error if the store is not as it must be */
export async function checkStore(db: Database, states: Readonly<Record<string, RepositoryState>>): Promise<void> {
  const names = Object.keys(states).toSorted();
  for (const name of names) {
    const other = difference(await stateOf(await db.repository(name)), states[name]);
    if (other !== undefined) throw new Error(`${name} differs at ${other}`);
  }
  const { ok, checked, problems } = await db.verify();
  if (!ok) throw new Error(`verify: ${JSON.stringify(problems)}`);
  if (checked['repositories'] !== names.length)
    throw new Error(`verify has counted ${String(checked['repositories'])} repositories, not ${String(names.length)}`);
}
