/** The branches of the repository that is shown, and the one that is shown of them. */
import { computed, effect, signal, untracked } from '@preact/signals';
import { type BranchRecord, listBranches } from '../api/branches.js';
import { useBranchOf } from '../api/client.js';
import { asProblem } from '../api/errors.js';
import { route } from '../router.js';
import { fail } from './notices.js';
import { branch, place, repository } from './repository.js';
import { hasFeature, signIns } from './session.js';

/** Undefined until they were read, and where the server does not serve them. */
export const branches = signal<readonly BranchRecord[] | undefined>(undefined);

const MAIN = 'main';
/** The branch for requests that name none. */
export const defaultBranch = computed(() => branches.value?.find((each) => each.default === true)?.name ?? MAIN);
/** The name of the branch that is shown. */
export const branchName = computed(() => branch.value ?? defaultBranch.value);
/** Whether there is no branch of the name in the address. */
export const isGone = computed(() => branches.value?.every(({ name }) => name !== branchName.value) === true);
/** The branch as the address has it: the default one is left out. */
export const addressOf = (name: string): string | undefined => (name === defaultBranch.value ? undefined : name);
/** Branches by the UUID of their newest revision. */
export const heads = computed(() => {
  const byHead = new Map<string, string[]>();
  for (const { name, head } of branches.value ?? []) byHead.set(head.uuid, [...(byHead.get(head.uuid) ?? []), name]);
  return byHead;
});

/** What is different on each branch. All else concerns the whole repository. */
const ON_BRANCH =
  /^(?:sparql|statements|revisions|diff|blame|history|terms|schema|changes|live|refs|parse|size|graphs|reset|timemap)\b/;

function branchOf(path: string): string | undefined {
  const [name, own] = [repository.peek(), branch.peek()];
  if (name === undefined || own === undefined || !path.startsWith(`${name}/`)) return undefined;
  return ON_BRANCH.test(path.slice(name.length + 1)) ? own : undefined;
}

export async function readBranches(): Promise<void> {
  const name = repository.value;
  if (name === undefined || !hasFeature('branches')) return;
  try {
    const list = await listBranches(name);
    if (repository.value === name) branches.value = list;
  } catch (error) {
    // Whoever may not read the repository is told so by its pages.
    if (![401, 403, 404].includes(asProblem(error).status)) fail(error);
  }
}

/** Called once by the page. */
export function startBranches(): void {
  useBranchOf(branchOf);
  let before: string | undefined;
  effect(() => {
    void signIns.value;
    void place.value;
    const name = repository.value;
    if (name === undefined || !hasFeature('branches')) return;
    if (name !== before) branches.value = undefined;
    before = name;
    void untracked(readBranches);
  });
}

/** The page that is shown, on another branch. What names revisions means others there. */
export function parametersOn(name: string): Record<string, string | undefined> {
  return { ...route.value.parameters, branch: addressOf(name), at: undefined, compare: undefined, page: undefined };
}
