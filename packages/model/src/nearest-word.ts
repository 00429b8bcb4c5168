/** The known word that a misspelled one is likely to mean. */

/** The candidate that is nearest in any case of letters, where it is near enough to be meant. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  const upper = word.toUpperCase();
  const limit = upper.length < 4 ? 1 : upper.length < 6 ? 2 : 3;
  let best: string | undefined;
  let least = Math.min(limit, Math.ceil(upper.length / 2) - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(upper.slice(0, 40), candidate.toUpperCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** How many letters have to be put in, left out, changed, or swapped with the next one. */
export function editDistance(a: string, b: string): number {
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
