/** Every text of the page. Numbers and dates are those of the user's locale. */

const integers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const longDates = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const plural = new Intl.PluralRules('en');

export const number = (value: number): string => integers.format(value);
export const date = (iso: string): string => dates.format(new Date(iso));

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** A time as "2 min ago". */
export function ago(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

const count = (value: number, one: string, many: string): string =>
  `${number(value)} ${plural.select(value) === 'one' ? one : many}`;

export const duration = (ms: number): string =>
  ms < 1000 ? `${number(Math.round(ms))} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

export const bytes = (value: number): string =>
  value < 1000
    ? `${String(value)} B`
    : value < 1e6
      ? `${(value / 1e3).toFixed(1)} kB`
      : `${(value / 1e6).toFixed(1)} MB`;

export const text = {
  product: 'Quadrille',
  skip: 'Skip to content',
  repository: 'Repository',
  chooseRepository: 'Choose a repository…',
  shortcuts: 'Keyboard shortcuts',
  shortcutsOn: 'Single keys are on',
  shortcutList: [
    ['Ctrl+Enter', 'Run the query (⌘+Enter on a Mac)'],
    ['Ctrl+S', 'Save the query'],
    ['Escape, Tab', 'Leave the editor'],
    ['[ ]', 'Previous and next revision'],
    ['g q', 'Query'],
    ['g h', 'History'],
    ['g o', 'Overview'],
    ['g i', 'Import'],
    ['g a', 'Activity'],
    ['g s', 'Settings'],
    ['?', 'This list'],
  ],
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  account: 'Account',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signOut: 'Sign out',
  yourTokens: 'Your tokens',
  operator: 'operator',
  signIn: 'Sign in',
  signInHelp: 'This server asks for a token. The first start of the server printed one.',
  token: 'Token',
  wrongToken: 'The server does not know this token.',
  main: 'Main',
  more: 'More',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  retry: 'Try again',
  offline: 'The server is out of reach. What you typed is kept; the page goes on when the server answers.',
  details: 'Details',
  detailsOf: (code: string, requestId: string | undefined): string =>
    requestId === undefined ? code : `${code}, request ${requestId}`,
  loading: 'Loading…',
  statements: (value: number): string => count(value, 'statement', 'statements'),
  rows: (value: number): string => count(value, 'row', 'rows'),
  pages: {
    repositories: 'Repositories',
    query: 'Query',
    history: 'History',
    compare: 'Compare',
    resource: 'Resource',
    overview: 'Overview',
    import: 'Import',
    settings: 'Settings',
    activity: 'Activity',
    admin: 'Accounts',
  },
  repositories: {
    title: 'Repositories',
    lead: 'Each repository keeps every change as a revision that you can query.',
    create: 'New repository',
    name: 'Name',
    createButton: 'Create',
    none: 'There is no repository yet.',
    noneHelp: 'Create one, then add statements to it.',
    changed: (when: string): string => `changed ${when}`,
  },
  timeline: {
    region: 'Timeline',
    slider: 'Revision',
    previous: 'Previous revision',
    next: 'Next revision',
    current: 'Current',
    position: (value: number, of: number): string => `Revision ${number(value)} of ${number(of)}`,
    spoken: (value: number, of: number, iso: string, added: number, removed: number): string =>
      `Revision ${number(value)} of ${number(of)}, ${longDates.format(new Date(iso))}, ${number(added)} added` +
      (removed > 0 ? `, ${number(removed)} removed` : ''),
    readOnly: (value: number): string => `Revision ${number(value)} is read-only`,
    back: 'Back to current',
    arrived: (value: number): string => count(value, 'new revision', 'new revisions'),
    open: 'Show the timeline',
  },
  query: {
    editor: 'SPARQL query',
    tabs: 'Queries',
    untitled: 'Untitled',
    newTab: 'New query',
    rename: 'Name of this query',
    closeTab: (name: string): string => `Close ${name}`,
    run: 'Run',
    runUpdate: 'Run update',
    runAt: (value: number): string => `Run at revision ${number(value)}`,
    message: 'Message of the revision',
    share: 'Share',
    save: 'Save',
    saved: 'Saved queries',
    saveTitle: 'Save query',
    saveHelp: 'A saved query is a view: everybody who may read the repository can open it, also at its own address.',
    savedAs: (name: string): string => `Saved as ${name}`,
    copied: 'The link is copied',
    timeout: 'Time-out',
    seconds: (value: number): string => `${String(value)} s`,
    updateAtOld: 'An old revision cannot be changed. Go back to the current one to run this update.',
    updated: (revision: number, added: number, removed: number): string =>
      `Revision ${number(revision)}: ${number(added)} added, ${number(removed)} removed`,
    unchanged: 'The update changed nothing',
    undo: 'Undo',
    undone: (message: string): string => `Undo: ${message}`,
    running: (rows: string): string => `${rows} so far`,
    done: (rows: string, ms: number, revision: number | undefined): string =>
      `${rows} · ${duration(ms)}${revision === undefined ? '' : ` · revision ${number(revision)}`}`,
    cancelled: (rows: string): string => `Cancelled · ${rows}`,
    full: (rows: string): string => `${rows} · the rest is too long to be shown`,
    yes: 'Yes',
    no: 'No',
    results: 'Results',
    table: 'Table',
    raw: 'Raw',
    plan: 'Plan',
    planTree: 'Query plan',
    step: 'Step',
    rowsExpected: 'Rows expected → actual',
    time: 'Time',
    estimateOff: '⚠ off',
    changes: 'Changes',
    change: 'Change',
    changedRows: (from: number, to: number, added: number, removed: number): string =>
      `From revision ${number(from)} to ${number(to)}: ${count(added, 'row', 'rows')} added, ${number(removed)} removed`,
    filter: 'Filter rows',
    empty: 'No rows match.',
    emptyFilter: 'No row has this text.',
    idle: 'Run the query to see its answer here.',
    download: 'Download',
    rawCut: (value: number): string => `The first ${bytes(value)} of the answer`,
    sortBy: (column: string): string => `Sort by ${column}`,
    declare: (prefix: string): string => `Declare prefix ${prefix}`,
    undeclared: (prefix: string): string => `The prefix ${prefix}: is not declared`,
    unexpected: 'This is not expected here',
    incomplete: 'The query ends too early',
    atPosition: (line: number, column: number): string => `line ${String(line)}, column ${String(column)}`,
    openExternal: 'Open in a new tab',
  },
  history: {
    author: 'Author',
    allAuthors: 'All authors',
    since: 'Since',
    messageContains: 'Message contains',
    none: 'No revision is like this.',
    older: 'Show older revisions',
    first: 'The empty repository',
    noMessage: 'without a message',
    showChanges: 'Show changes',
    queryHere: 'Query here',
    revert: 'Revert',
    revertTitle: (revision: number): string => `Revert revision ${number(revision)}`,
    revertHelp: 'A new revision undoes these changes. What later revisions changed again stays as it is.',
    preview: 'Changes that the revert makes',
    wouldChange: (count: string): string => `Reverting makes up to ${count} changes:`,
    reverted: (revision: number): string => `Revision ${number(revision)} is reverted`,
    compare: 'Compare',
    compareWith: 'Compare with',
    with: 'with',
    option: (revision: number, tag: string | undefined): string =>
      `Revision ${number(revision)}${tag === undefined ? '' : ` (${tag})`}`,
    changesOf: (from: string, to: string): string => `Changes from revision ${from} to revision ${to}`,
    summary: (added: string, removed: string, cut: boolean): string =>
      `${added} added, ${removed} removed${cut ? ', and more' : ''}`,
    same: 'Both revisions have the same statements.',
    groupBy: 'Group by',
    groupings: { subject: 'Subject', predicate: 'Predicate' },
    moreGroups: (value: number): string => `Show ${number(value)} more`,
    cut: (value: number): string => `These are the first ${number(value)} changes. The download has all of them.`,
    added: 'added',
    removed: 'removed',
  },
  resource: {
    noIri: 'The address names no IRI.',
    outgoing: (value: number | undefined): string => (value === undefined ? 'Outgoing' : `Outgoing ${number(value)}`),
    incoming: (value: number | undefined): string => (value === undefined ? 'Incoming' : `Incoming ${number(value)}`),
    history: 'History',
    origin: 'Show origin',
    language: 'Language',
    copyIri: 'Copy IRI',
    copied: 'The IRI is copied',
    queryThis: 'Query this',
    open: 'Open ↗',
    noOutgoing: 'This revision says nothing of this resource.',
    noIncoming: 'Nothing refers to this resource in this revision.',
    noHistory: 'No revision says anything of this resource.',
    inGraph: 'in',
    more: (value: number): string => `${number(value)} more`,
    cut: (value: number): string => `The first ${number(value)} statements`,
    since: (revision: string, agent: string | undefined, message: string | undefined): string =>
      [`since revision ${revision}`, agent, message === undefined ? undefined : `“${message}”`]
        .filter((part) => part !== undefined)
        .join(' · '),
  },
  overview: {
    classes: 'Classes',
    properties: 'Properties',
    graphs: 'Graphs',
    none: 'None at this revision.',
    query: 'Query',
  },
  import: {
    drop: 'Drop files here, or',
    choose: 'Choose files',
    formats:
      'Turtle, TriG, N-Triples, N-Quads, RDF/XML, JSON-LD, also compressed by gzip. Each file becomes one revision.',
    into: 'Into',
    defaultGraph: 'default graph',
    graph: 'graph',
    graphIri: 'Graph IRI',
    how: 'What is there',
    add: 'Add',
    replace: 'Replace',
    message: 'Message',
    clear: 'Clear what is finished',
    phases: {
      waiting: 'waiting',
      uploading: 'Uploading',
      loading: 'Loading',
      completed: 'completed',
      failed: 'failed',
      cancelled: 'cancelled',
    },
    percent: (share: number): string => `${String(Math.round(share * 100))} %`,
    loaded: (statements: number, rate: number | undefined): string =>
      `${count(statements, 'statement', 'statements')}${rate === undefined ? '' : ` · ${number(Math.round(rate))}/s`}`,
    unchanged: 'nothing new',
  },
  activity: {
    queries: 'Running queries',
    noQueries: 'No query runs.',
    jobs: 'Jobs',
    noJobs: 'There are no jobs.',
  },
  settings: {
    about: 'About',
    fields: { summary: 'Summary', homepage: 'Homepage', description: 'Description', privacy: 'Who may read' },
    privacies: { private: 'Its owner and collaborators', authenticated: 'Every account', public: 'Everybody' },
    save: 'Save',
    saved: 'Saved',
    namespaces: 'Namespaces',
    prefix: 'Prefix',
    namespace: 'Namespace IRI',
    addPrefix: 'Add',
    removePrefix: (prefix: string): string => `Remove ${prefix}:`,
    remove: 'Delete repository',
    removeHelp: 'Deletes all revisions. This cannot be undone.',
    removeTitle: (name: string): string => `Delete ${name}`,
    typeName: (name: string): string => `Type ${name} to go on`,
  },
  empty: {
    title: 'This repository is empty',
    help: 'Each change will be a revision on the timeline.',
    example: 'Load example data',
    import: 'Import a file',
    insert: 'Insert by SPARQL',
  },
} as const;
