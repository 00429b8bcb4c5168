/** Tells whether a branch has revisions that no other branch has. */
import type { RevisionRecord } from '../revision/record.js';
import { Ancestry, headOf } from './ancestry.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** Whether the head of a line is in the history of another branch. */
export function isMergedIn(lines: Lines<OpenLine>): (line: number, head: RevisionRecord) => Promise<boolean> {
  return async (line, { number }) => {
    const { fork } = await lines.record(line);
    if (number === fork) return true;
    const ancestry = Ancestry.of(lines);
    const others = [MAIN_LINE, ...[...(await lines.branches()).values()].map((branch) => branch.line)];
    for (const other of others) {
      if (other === line) continue;
      if (await ancestry.has(await ancestry.of(await headOf(lines, other)), { line, number })) return true;
    }
    return false;
  };
}
