/** Texts of branches and merges. */
import { count, number, text } from './en.js';

export const branchText = {
  lead: 'A branch is a line of history with a name. What you change on it is not seen on others until you merge it.',
  none: 'This server serves one branch alone.',
  filter: 'Filter branches',
  list: 'Branches',
  isDefault: 'default',
  isProtected: 'protected',
  begins: (revision: number): string => `begins with revision ${number(revision)}`,
  compare: 'Compare',
  compareLabel: (name: string, other: string): string => `Compare ${other} with ${name}`,
  merge: 'Merge…',
  mergeLabel: (name: string): string => `Merge ${name}…`,
  rename: 'Rename…',
  renameLabel: (name: string): string => `Rename ${name}…`,
  remove: 'Delete…',
  removeLabel: (name: string): string => `Delete ${name}…`,
  create: 'New branch',
  createHelp: 'It begins with a revision that is there. That takes no room, whatever the size of the repository.',
  createButton: 'Create branch',
  name: 'Name of the branch',
  nameHelp: 'Letters, digits, and _ . - / ; up to 100 characters.',
  from: 'Begins with',
  created: (name: string): string => `The branch ${name} is there`,
  renameTitle: (name: string): string => `Rename ${name}`,
  renameHelp: 'Addresses that name the branch by its old name lead nowhere afterwards.',
  renameButton: 'Rename branch',
  renamed: (name: string): string => `The branch has the name ${name} now`,
  removeTitle: (name: string): string => `Delete ${name}`,
  removeHelp: 'What was merged stays where it was merged.',
  removeButton: 'Delete branch',
  notMerged: (name: string, head: string): string =>
    `${name} has revisions that no other branch has; the last one is “${head}”. If you delete it, they are lost.`,
  removeAnyway: 'Delete with its revisions',
  removed: (name: string): string => `The branch ${name} is deleted`,
} as const;

export const mergeText = {
  title: (source: string, target: string): string => `Merge ${source} into ${target}`,
  into: 'Into the branch',
  help: (source: string): string =>
    `What ${source} has changed since both were one is changed here too, as one revision with two parents.`,
  since: (revision: number, message: string): string => `Both were one at revision ${number(revision)}, “${message}”.`,
  nothing: (source: string, target: string): string => `${target} has everything of ${source} already.`,
  itself: 'Choose another branch to merge into.',
  changes: 'What the merge changes',
  cut: (value: number): string => `These are the first ${number(value)} changes.`,
  noChanges: 'No statement changes. The merge is recorded all the same.',
  conflicts: (value: number): string =>
    `${count(value, 'value was', 'values were')} changed on both branches in different ways. Choose what is to stay.`,
  all: 'Choose for all',
  sides: { ours: 'ours', theirs: 'theirs', base: 'the old one' },
  sideOf: (side: 'ours' | 'theirs' | 'base', source: string, target: string): string =>
    ({ ours: `${target} (ours)`, theirs: `${source} (theirs)`, base: 'Before both' })[side],
  noValue: 'no value',
  own: 'Own values',
  ownLabel: (subject: string, predicate: string): string => `Own values of ${predicate} of ${subject}`,
  ownHelp: 'One value a line, such as "Ada"@en, 25350.5, ex:ada or <http://example.org/ada>. No line is no value.',
  others: (value: number): string => `The other ${count(value, 'conflict', 'conflicts')}`,
  refuse: 'Choose…',
  open: (value: number): string => `${count(value, 'conflict is', 'conflicts are')} not decided yet.`,
  submit: 'Merge',
  message: (source: string): string => `merge ${source}`,
  done: (source: string, revision: number | undefined): string =>
    revision === undefined
      ? `${source} is merged`
      : `${source} is merged by ${text.history.option(revision, undefined)}`,
  raced: (target: string): string =>
    `Another revision came to ${target} first. Nothing was merged yet; this is the merge as it would be now.`,
} as const;
