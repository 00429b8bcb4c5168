/** Texts of the comparison of two revisions. */
import { number, text } from './en.js';

/** A reference as a reader says it. */
export const spoken = (ref: string): string => (/^\d+$/.test(ref) ? `revision ${ref}` : ref);

export const compareText = {
  from: 'From',
  to: 'To',
  help: 'A number, tag, branch, id or time, such as 7, v1, dev, HEAD~2 or 2026-11-22T09:23.',
  changes: (from: string, to: string): string => `Changes from ${spoken(from)} to ${spoken(to)}`,
  swap: 'Swap both',
  end: (label: string): string => `${label}:`,
  counts: 'Counts by predicate',
  predicate: 'Predicate',
  added: 'Added',
  removed: 'Removed',
  only: (predicate: string): string => `Changes of ${predicate} alone`,
  all: 'All predicates',
  otherPredicates: (count: number): string => `Show ${number(count)} more`,
  pages: 'Pages of changes',
  page: (first: number, last: number, of: number | undefined): string =>
    `Changes ${number(first)} to ${number(last)}${of === undefined ? '' : ` of ${number(of)}`}`,
  previous: 'Previous page',
  next: 'Next page',
  pageEmpty: 'This page has no changes.',
  firstPage: 'First page',
  current: 'the current revision',
  oneBefore: 'the one before',
  noteOf: (message: string | null, tags: readonly string[]): string =>
    [message ?? text.history.noMessage, ...tags].join(' · '),
} as const;
