/** The steps of the tour: where each points, what it does, and how it sees that the user has done it. */
import { signal } from '@preact/signals';
import { createBranch, deleteBranch, mergeBranch } from '../api/branches.js';
import { update } from '../api/sparql.js';
import { tourText } from '../messages/tour.js';
import { hrefOf, navigate, route } from '../router.js';
import { addressOf, branches, branchName, readBranches } from '../state/branch.js';
import { repository } from '../state/repository.js';
import { at, head, isOld, neighbour, readRevisions, show } from '../state/revision.js';
import { hasFeature, mayWrite, system } from '../state/session.js';
import { closeTab, DEFAULT_QUERY, openTab, tabList } from '../state/tabs.js';

type Reason = keyof typeof tourText.told;
type PageOfTour = 'query' | 'history' | 'branches';

/** Where the tour began, and what it has made. */
export class Course {
  readonly repository = repository.value;
  readonly branch = branchName.value;
  readonly at = at.value;
  readonly update = tourText.update(new Date().toISOString());
  /** Why it writes nothing, once that is known. */
  readonly told = signal<Reason | undefined>(this.repository === undefined ? 'none' : undefined);
  /** The branch for the change; before it is made, the name for it. */
  source = freeName(tourText.branch);
  target = '';
  /** The head of the branch that the next step moves on. */
  head: string | undefined;

  /** Shows a page of the repository, on a branch. */
  go(page: PageOfTour, branch = this.branch, at?: string): void {
    if (this.repository !== undefined) navigate(hrefOf(page, this.repository, { branch: addressOf(branch), at }));
  }

  /** @returns whether the user has gone to another repository */
  isLeft(): boolean {
    return repository.value !== undefined && repository.value !== this.repository;
  }

  /** @returns whether the branch that is shown is this one, and was changed */
  isMoved(branch: string): boolean {
    const [before, now] = [this.head, head.value?.uuid];
    return branchName.value === branch && before !== undefined && now !== undefined && now !== before;
  }
}

const names = (): string[] => (branches.value ?? []).map(({ name }) => name);

/** The name, or with the first number that makes it a new one. */
function freeName(name: string): string {
  const taken = new Set(names());
  for (let n = 1; ; n++) {
    const tried = n === 1 ? name : name.replace(/\d*$/, String(n));
    if (!taken.has(tried)) return tried;
  }
}

async function make(course: Course, name: string): Promise<void> {
  await createBranch(course.repository!, name, course.branch, course.branch);
  await readBranches();
}

const headOf = (wanted: string): string | undefined => branches.value?.find(({ name }) => name === wanted)?.head.uuid;

function reasonNow(): Reason | undefined {
  if (isOld.value) return 'old';
  // Before the rights are known, the server is asked, and refuses.
  if (system.value === undefined) return undefined;
  return mayWrite.value && hasFeature('branches') ? undefined : 'rights';
}

interface Step {
  /** A selector. */
  readonly target: (course: Course) => string;
  /** Of one that writes: why it is told alone. */
  readonly reason?: () => Reason | undefined;
  readonly enter?: (course: Course) => Promise<void> | void;
  readonly act: (course: Course) => Promise<void> | void;
  readonly isDone: (course: Course) => boolean;
}

const RUN = '.toolbar .primary';

const ASK: Step = {
  target: () => RUN,
  enter(course) {
    openTab(DEFAULT_QUERY);
    course.go('query', course.branch, course.at);
  },
  act: () => document.querySelector<HTMLElement>(RUN)?.click(),
  isDone: () => route.value.parameters['q'] === DEFAULT_QUERY,
};

/** Narrow screens have the timeline behind a button. */
function openTimeline(open: boolean): void {
  const opener = document.querySelector<HTMLElement>(`.timeline-opener[aria-expanded=${String(!open)}]`);
  if (opener?.checkVisibility() === true) opener.click();
}

const PAST: Step = {
  target: () => '.timeline-slider',
  enter: () => openTimeline(true),
  act() {
    const before = neighbour(-1);
    if (before !== undefined) show(before);
  },
  isDone: (course) => isOld.value && at.value !== course.at,
};

const HISTORY: Step = {
  target: () => '.navigation [href*="/history"]',
  // The next step goes there: back from the old revision, whoever went on.
  act: () => undefined,
  isDone: () => route.value.page === 'history',
};

const BRANCH: Step = {
  target: () => '.branch-picker .button',
  reason: reasonNow,
  enter(course) {
    openTimeline(false);
    course.go('history', course.branch, course.at);
  },
  act: (course) => make(course, course.source),
  isDone(course) {
    const shown = branchName.value;
    if (shown === course.branch || !shown.startsWith('tour-') || !names().includes(shown)) return false;
    course.source = shown;
    return true;
  },
};

const CHANGE: Step = {
  target: () => RUN,
  enter(course) {
    course.target = freeName(tourText.merged(course.source));
    course.head = headOf(course.source);
    openTab(course.update);
    course.go('query', course.source);
  },
  async act(course) {
    await update(course.repository!, course.update, tourText.message, course.source);
    await readRevisions();
  },
  isDone: (course) => course.isMoved(course.source),
};

const MERGE: Step = {
  // The first button of its row.
  target: ({ source }) => `.log-entry .button[aria-label$=" ${source}…"]`,
  async enter(course) {
    await make(course, course.target);
    course.head = headOf(course.target);
    course.go('branches', course.target);
  },
  async act({ repository, source, target }) {
    await mergeBranch(repository!, { source, target, message: tourText.merge(source) });
    await Promise.all([readRevisions(), readBranches()]);
  },
  isDone: (course) => course.isMoved(course.target),
};

const END: Step = {
  target: () => '.log-entry',
  enter: (course) => course.go('history', course.target),
  act: () => undefined,
  isDone: () => false,
};

export const STEPS = [ASK, PAST, HISTORY, BRANCH, CHANGE, MERGE, END];

/** Closes the tab that the tour has opened. */
export function tidy({ update }: Course): void {
  const tab = tabList.value.find(({ text }) => text === update);
  if (tab !== undefined) closeTab(tab.id);
}

/** The branches of the tour that are there. */
export const branchesOf = ({ source, target }: Course): readonly string[] =>
  [source, target].filter((name) => names().includes(name));

/** Deletes what the tour has made. */
export async function removeBranches(course: Course): Promise<void> {
  for (const name of branchesOf(course)) await deleteBranch(course.repository!, name, true);
  course.go('history');
  await readBranches();
}
