/** Texts of the tour. */

interface Named {
  /** The branch on which the tour began. */
  readonly branch: string;
  /** The branch for the change. */
  readonly source: string;
  /** The branch for the merge. */
  readonly target: string;
}

export const tourText = {
  place: (step: number, steps: number): string => `Tour, step ${String(step)} of ${String(steps)}`,
  /** A title and what stands below it, in the order of the steps. */
  steps: [
    [
      'Ask',
      () =>
        'This query counts the things of each class. Press “Run”. Or press “Next”, here and in each step, and the tour does it. Escape ends it.',
    ],
    [
      'Ask the past',
      () => 'Each bar of the timeline is a revision. Move the slider to an old one: the same query is asked there.',
    ],
    [
      'See the history',
      () =>
        'The answer is that of the old revision. “History” lists all revisions: who made them, when, and what changed.',
    ],
    [
      'Make a branch',
      ({ branch, source }) =>
        `From here on the tour writes, on new branches alone. “Next” makes the branch ${source}; ${branch} stays as it is. Or choose “New branch…” and a name that begins with tour-.`,
    ],
    [
      'Change it',
      ({ source, target }) =>
        `The update adds one statement on ${source}. Run it. Then the tour makes a second branch, ${target}, to merge into.`,
    ],
    [
      'Merge',
      ({ branch, source, target }) =>
        `You see ${target}, which begins where ${branch} ends. “Merge…” beside ${source} shows first what it will change.`,
    ],
    [
      'That is all',
      ({ branch, source, target }) =>
        `The merge is one revision of ${target}, and ${branch} is as it was. ${source} and ${target} stay until you delete them.`,
    ],
  ] satisfies readonly (readonly [string, (names: Named) => string])[],
  toldEnd:
    'A branch is a line of history of its own; a merge brings its changes over as one revision. Nothing was written.',
  readOn:
    'Read on in the documents: docs/how-to/workbench.md for this page, docs/start/tour.md for the rest. “?” lists the keys.',
  /** Why a step is told and not done. */
  told: {
    none: 'No repository is open, so this step is only told.',
    old: 'The page shows an old revision, so this step is only told.',
    rights: 'You may not make branches here, so this step is only told.',
  },
  next: 'Next',
  done: 'Done',
  end: 'End the tour',
  /** Of one that is ended before its last step. */
  left: (made: readonly string[]): string =>
    made.length === 1
      ? `The tour has made the branch ${made[0]!}. It stays until you delete it.`
      : `The tour has made the branches ${made.join(' and ')}. They stay until you delete them.`,
  keep: (made: readonly string[]): string => (made.length === 1 ? 'Keep it' : 'Keep both'),
  clean: (made: readonly string[]): string => (made.length === 1 ? 'Delete the branch' : 'Delete both branches'),
  cleaned: 'The branches of the tour are deleted',
  branch: 'tour-1',
  merged: (source: string): string => `${source}-merged`,
  update: (time: string): string =>
    `# Adds one statement, on the branch that is shown.\nINSERT DATA {\n  <urn:example:tour> <http://purl.org/dc/terms/date> "${time}"\n}`,
  message: 'A change of the tour',
  merge: (source: string): string => `Merge ${source}`,
} as const;
