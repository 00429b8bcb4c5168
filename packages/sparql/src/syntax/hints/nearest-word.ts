/** The keyword or function that a misspelled word is likely to mean. */
import { AGGREGATES, FUNCTIONS } from '../lexer/tokens.js';

export const FORMS =
  'SELECT CONSTRUCT ASK DESCRIBE PREFIX BASE INSERT DELETE WITH LOAD CLEAR CREATE DROP ADD MOVE COPY'.split(' ');
export const AFTER_SELECT = 'DISTINCT REDUCED FROM WHERE'.split(' ');
export const IN_GROUP = 'OPTIONAL FILTER UNION MINUS GRAPH BIND VALUES SERVICE SELECT NOT EXISTS SILENT UNDEF AS'.split(
  ' ',
);
export const AFTER_GROUP =
  'WHERE FROM GROUP BY HAVING ORDER LIMIT OFFSET VALUES ASC DESC USING INSERT DELETE TO INTO DATA DEFAULT NAMED ALL'.split(
    ' ',
  );
export const FUNCTION_NAMES = [...Object.keys(AGGREGATES), ...Object.keys(FUNCTIONS), 'BOUND', 'EXISTS'];

/** The candidate that is nearest, where it is near enough to be meant. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const upper = word.toUpperCase();
  const limit = upper.length < 4 ? 1 : upper.length < 6 ? 2 : 3;
  let best: string | undefined;
  let least = Math.min(limit, Math.ceil(upper.length / 2) - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(upper.slice(0, 40), candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** How many letters have to be put in, left out, changed, or swapped with the next one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
