/** Texts of the log where a repository has branches. */

export const logText = {
  merges: 'merges',
  headOf: 'head of',
  allBranches: 'All branches',
  branches: 'Branches',
} as const;
