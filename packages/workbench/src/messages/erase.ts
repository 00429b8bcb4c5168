/** Texts of erasures. */
import { bytes, count } from './en.js';

interface Counts {
  readonly quads: number;
  readonly terms: number;
  readonly revisions: number;
  readonly branches: number;
  readonly bytesRewritten: number;
}

export const eraseText = {
  open: 'Erase data…',
  title: 'Erase data',
  help: 'Takes statements out of every revision of every branch, and out of the files of the store. Nothing brings them back.',
  what: 'What',
  kinds: { term: 'Everything with a term', pattern: 'Statements that match', quads: 'Single statements' },
  term: 'Term, as an IRI, a name with a prefix or a value in quotes',
  positions: { subject: 'Subject', predicate: 'Predicate', object: 'Object', graph: 'Graph' },
  patternHelp: 'Empty fields match every term. The graph may be “default”.',
  quads: 'Statements, as N-Quads',
  reason: 'Reason',
  reasonHelp: 'Everybody can read it in the history: do not repeat what you erase.',
  sure: 'I know that this cannot be undone',
  would: ({ quads, revisions, branches }: Pick<Counts, 'quads' | 'revisions' | 'branches'>): string =>
    `${count(quads, 'statement goes', 'statements go')}, out of ${count(revisions, 'revision', 'revisions')} of ` +
    `${count(branches, 'branch', 'branches')}.`,
  erase: (quads: number | undefined): string =>
    quads === undefined ? 'Erase' : `Erase ${count(quads, 'statement', 'statements')}`,
  working: 'Erasing',
  done: (quads: number): string => `${count(quads, 'statement is', 'statements are')} erased`,
  report: ({ quads, terms, revisions, branches, bytesRewritten }: Counts): string =>
    `Erased ${count(quads, 'statement', 'statements')} and ${count(terms, 'term', 'terms')} from ` +
    `${count(revisions, 'revision', 'revisions')} of ${count(branches, 'branch', 'branches')}. ` +
    `${bytes(bytesRewritten)} were written anew.`,
  saysWhy: (reason: string): string => `Why: ${reason}`,
  saysWho: (account: string | null | undefined): string =>
    account ? `Who: ${account}` : 'Who: the server asks nobody to sign in, so it does not know',
  copies: 'Where copies may still be',
  close: 'Close',
} as const;
