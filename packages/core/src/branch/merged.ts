/** Tells whether a branch has revisions that no other branch has. */
import type { RevisionRecord } from '../revision/record.js';
import { MAIN_LINE } from './line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** Whether the head of a line is in the history of another branch. */
export function isMergedIn(lines: Lines<OpenLine>): (line: number, head: RevisionRecord) => Promise<boolean> {
  return async (line, { number }) => {
    const { fork } = await lines.record(line);
    if (number === fork) return true;
    for (const { line: other } of (await lines.branches()).values())
      if (other !== line && (await reaches(lines, other, line, number))) return true;
    return false;
  };
}

// Whether a line begins on another one, there at a revision or later.
async function reaches(lines: Lines<OpenLine>, from: number, line: number, number: number): Promise<boolean> {
  for (let at = from; at !== MAIN_LINE;) {
    const { base, fork } = await lines.record(at);
    if (base === line) return fork >= number;
    at = base;
  }
  return false;
}
