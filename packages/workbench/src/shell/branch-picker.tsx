/** The branch that all pages show. */
import { text } from '../messages/en.js';
import { hrefOf, navigate, route } from '../router.js';
import { branches, branchName, defaultBranch, parametersOn } from '../state/branch.js';
import { repository } from '../state/repository.js';
import { hasFeature, isReadOnly } from '../state/session.js';
import { Icon } from '../ui/icon.js';
import { type Command, Menu } from '../ui/menu.js';

/** So many are in the menu; the page of branches has all. */
const MOST_LISTED = 12;

export function BranchPicker() {
  const name = repository.value;
  if (name === undefined || !hasFeature('branches')) return null;
  // There is no other to go to, and none can be made.
  if (isReadOnly.value && (branches.value?.length ?? 0) < 2) return null;
  const current = branchName.value;
  return (
    <span class="branch-picker">
      <Menu label={text.branch(current)} class="button" commands={commandsOf(name, current)}>
        <Icon name="branch" />
        <bdi>{current}</bdi>
        <Icon name="down" />
      </Menu>
    </span>
  );
}

function commandsOf(repository: string, current: string): Command[] {
  const newest = (branches.value ?? []).toSorted((one, other) => other.head.datetime.localeCompare(one.head.datetime));
  const names = [...new Set([defaultBranch.value, current, ...newest.map(({ name }) => name)])].slice(0, MOST_LISTED);
  const { page } = route.value;
  return [
    ...names.map((name) => ({
      label: name,
      checked: name === current,
      run: () => navigate(hrefOf(page, repository, parametersOn(name))),
    })),
    ...(isReadOnly.value
      ? []
      : [{ label: text.newBranch, run: () => navigate(hrefOf('branches', repository, { new: '' })) }]),
    { label: text.allBranches, run: () => navigate(hrefOf('branches', repository)) },
  ];
}
