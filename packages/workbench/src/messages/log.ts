/** Texts of the log where a repository has branches. */

export const logText = {
  merges: 'merges',
  branchHead: (branch: string): string => `head of the branch ${branch}`,
  allBranches: 'All branches',
  cherryPick: 'Apply here',
} as const;
