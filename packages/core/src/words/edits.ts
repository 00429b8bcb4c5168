/**
 * How many characters two words differ in: added, removed, replaced, or two beside one another exchanged; `undefined` if more than `edits`. Only the diagonal
 * band of the table is computed that can have such a distance.
 */
export function isWithin(x: readonly string[], y: readonly string[], edits: number): number | undefined {
  if (Math.abs(x.length - y.length) > edits) return undefined;
  const far = edits + 1;
  let before: number[] = [];
  let last = Array.from({ length: y.length + 1 }, (_, at) => Math.min(at, far));
  for (let i = 1; i <= x.length; i++) {
    const row = new Array<number>(y.length + 1).fill(far);
    if (i <= edits) row[0] = i;
    let least = row[0]!;
    for (let j = Math.max(1, i - edits); j <= Math.min(y.length, i + edits); j++) {
      const same = x[i - 1] === y[j - 1];
      let best = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      row[j] = Math.min(best, far);
      least = Math.min(least, row[j]!);
    }
    if (least > edits) return undefined;
    before = last;
    last = row;
  }
  return last[y.length]! <= edits ? last[y.length] : undefined;
}
