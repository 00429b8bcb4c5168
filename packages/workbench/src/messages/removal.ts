/** Texts of what removes history for good. */
import { bytes, count } from './en.js';

export const removalText = {
  title: 'Remove history',
  help: 'Removes for good what no undo brings back. Backups keep it. Trimming drops old revisions. Erasing takes data out of all revisions.',
  trim: 'Trim history…',
  trimTitle: 'Trim history',
  trimHelp: (branch: string): string =>
    `Removes old revisions of ${branch}. Tagged ones, heads and beginnings of branches, and merges stay. So does the content of what stays.`,
  last: 'Keep the newest revisions',
  perDay: 'Keep of each day the last revisions',
  before: 'Keep from this revision or time on',
  content: 'Also delete statements that are older than what stays, in one more revision',
  show: 'Show what would go',
  report: (trimmed: number, kept: number): string =>
    `${count(trimmed, 'revision goes', 'revisions go')}, ${count(kept, 'stays', 'stay')}.`,
  trimFinal: 'They cannot be brought back. Back the repository up first if you may need them.',
  trimNothing: 'No revision would go.',
  trimButton: (value: number): string => `Remove ${count(value, 'revision', 'revisions')}`,
  trimmed: (trimmed: number, freed: number): string =>
    `${count(trimmed, 'revision was', 'revisions were')} removed, ${bytes(freed)} freed`,
  chooseOne: 'Say what is to stay: fill in one field or more.',
} as const;
