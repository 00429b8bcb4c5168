/** Texts of the log where a repository has branches. */

export const logText = {
  merges: 'merges',
  violations: (count: number): string => (count === 1 ? '1 violation' : `${String(count)} violations`),
  headOf: 'head of',
  allBranches: 'All branches',
  branches: 'Branches',
  pick: 'Pick',
  pickTitle: (name: string): string => `Pick ${name}`,
  pickHelp: (branch: string): string =>
    `A new revision of ${branch} repeats these changes. What ${branch} has already stays as it is.`,
  pickChanges: 'Changes of the revision',
  picked: (name: string, ordinal: number): string => `${name} is repeated as revision ${String(ordinal)}`,
  conflicts: 'Where both have set a predicate with one value',
  refuse: 'Change nothing',
  keepOurs: (branch: string): string => `Keep the value of ${branch}`,
  takeTheirs: 'Take the value of the revision',
} as const;
