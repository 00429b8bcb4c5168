/** Texts of the settings of a repository. */
import { bytes, number, text } from './en.js';

export const settingsText = {
  tags: 'Tags',
  tagsHelp: 'A tag names a revision, in addresses and wherever a revision is asked for.',
  noTags: 'No revision has a tag.',
  tag: 'Tag',
  ofRevision: 'Revision of the tag',
  addTag: 'Set tag',
  removeTag: (name: string): string => `Remove tag ${name}`,
  showRevision: (ordinal: number): string => text.history.option(ordinal, undefined),
  rules: 'History and rules',
  functional: 'Predicates with one value',
  functionalHelp:
    'IRIs or names with a prefix, one a line. Where two branches give a subject different values of one, a merge asks which is to stay.',
  shapes: 'Graph of shapes',
  wrongFunctional: (problem: string): string => `Predicates with one value (functional): ${problem}`,
  shapesWarnings: (count: number): string =>
    count === 1 ? '1 statement of the shapes has no meaning' : `${count} statements of the shapes have no meaning`,
  shapesReport: 'Commit what breaks the shapes, and report it',
  wrongShapes: (problem: string): string => `Graph of shapes: ${problem}`,
  noGraph: (graph: string): string =>
    `The current revision has no statement in ${graph}. While that is so, no change is checked.`,
  shapesHelp:
    'An IRI or a name with a prefix. Every change that breaks the SHACL shapes of this graph is refused. Empty for none.',
  defaultBranch: 'Default branch',
  defaultBranchHelp: 'It is shown, and changed, where a request names no branch.',
  protected: 'Protected branches',
  protectedHelp: 'Names, one a line. Owners alone may change, rename and delete these.',
  retention: 'What compaction keeps of the history',
  retentionHelp:
    'A revision stays if any of these says so; tagged ones, heads and beginnings of branches, and merges always stay. All empty: every revision stays.',
  retained: { last: 'Newest revisions', days: 'Younger than so many days', perDay: 'Last revisions of each day' },
  saveRules: 'Save rules',
  collaborators: 'Collaborators',
  collaboratorsHelp: 'Accounts that may read or write this repository besides its owner.',
  noCollaborators: 'Only the owner may write.',
  collaborator: 'Account of the collaborator',
  mayDo: 'May',
  mayRead: 'read',
  mayWrite: 'read and write',
  mayOf: (account: string): string => `What ${account} may do`,
  addCollaborator: 'Add collaborator',
  removeCollaborator: (account: string): string => `Remove collaborator ${account}`,
  views: 'Saved queries',
  viewsHelp: 'Each has an address of its own, at which everybody who may read the repository gets its answer.',
  noViews: 'No query is saved. “Save” on the page of queries does it.',
  openView: (name: string): string => `Open ${name}`,
  open: 'Open',
  removeView: (name: string): string => `Remove query ${name}`,
  maintenance: 'Maintenance',
  facts: (statements: number, size: number, revisions: number): string =>
    `${text.statements(statements)} now · ${bytes(size)} stored · ${number(revisions)} revisions`,
  maintenanceHelp: 'Both run as jobs while the repository is in use, and change no revision.',
  verify: 'Check for damage',
  compact: 'Compact',
} as const;
