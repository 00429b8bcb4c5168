/** Texts of imports. */
import { count, number } from './en.js';

export const importText = {
  noGraph: 'Say which graph the documents go into. Nothing was loaded.',
  wrongGraph: (problem: string): string => `Graph IRI: ${problem} Nothing was loaded.`,
  dryRun: 'Dry run',
  really: 'Import',
  onlyAsk: 'Only tell what would change',
  wouldChange: 'would change, nothing was imported',
  importNow: 'Import now',
  mapping: 'Mapping',
  mappingHelp:
    'A table becomes statements by a mapping: one CONSTRUCT, made for each row. The columns are its variables, and ?row is the number of the row.',
  preview: 'First statements',
  statements: (shown: number, isAll: boolean): string =>
    isAll ? count(shown, 'statement', 'statements') : `The first ${number(shown)} statements`,
  positions: ['Subject', 'Predicate', 'Object'],
  noStatements: 'The mapping makes no statement of any row.',
  showPlace: 'Show the place',
  leaveOut: 'Leave it out',
  importTable: 'Import the table',
} as const;
