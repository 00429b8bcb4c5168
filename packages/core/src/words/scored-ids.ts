/** Literals with scores, ascending by their ids, and what is made of two or more such lists. */

/** Literals, ascending, with their scores. */
export interface ScoredIds {
  readonly ids: Uint32Array;
  readonly scores: Float64Array;
}

export const NOTHING: ScoredIds = { ids: new Uint32Array(0), scores: new Float64Array(0) };

export function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The literals that both have. */
export function intersected(
  left: ScoredIds,
  right: ScoredIds,
  extra: (left: number, right: number) => number,
): ScoredIds {
  const ids = new Uint32Array(Math.min(left.ids.length, right.ids.length));
  const scores = new Float64Array(ids.length);
  let length = 0;
  for (let l = 0, r = 0; l < left.ids.length && r < right.ids.length;) {
    const x = left.ids[l]!;
    const y = right.ids[r]!;
    if (x === y) {
      ids[length] = x;
      scores[length++] = left.scores[l]! + extra(left.scores[l]!, right.scores[r]!);
    }
    if (x <= y) l++;
    if (y <= x) r++;
  }
  return { ids: ids.subarray(0, length), scores: scores.subarray(0, length) };
}

/** The literals of any, with the sums of their scores. */
export function united(parts: readonly ScoredIds[]): ScoredIds {
  if (parts.length === 0) return NOTHING;
  // Pairs of neighbours, so that each literal is copied few times.
  let level = parts;
  while (level.length > 1) {
    const next: ScoredIds[] = [];
    for (let i = 0; i < level.length; i += 2)
      next.push(i + 1 < level.length ? union(level[i]!, level[i + 1]!) : level[i]!);
    level = next;
  }
  return level[0]!;
}

function union(left: ScoredIds, right: ScoredIds): ScoredIds {
  const { ids: leftIds, scores: leftScores } = left;
  const { ids: rightIds, scores: rightScores } = right;
  const ids = new Uint32Array(leftIds.length + rightIds.length);
  const scores = new Float64Array(ids.length);
  let length = 0;
  let l = 0;
  let r = 0;
  for (; l < leftIds.length && r < rightIds.length; length++) {
    const x = leftIds[l]!;
    const y = rightIds[r]!;
    ids[length] = Math.min(x, y);
    if (x === y) scores[length] = leftScores[l++]! + rightScores[r++]!;
    else scores[length] = x < y ? leftScores[l++]! : rightScores[r++]!;
  }
  // Of one of them nothing is left.
  ids.set(leftIds.subarray(l), length);
  scores.set(leftScores.subarray(l), length);
  ids.set(rightIds.subarray(r), length);
  scores.set(rightScores.subarray(r), length);
  length += leftIds.length - l + rightIds.length - r;
  return { ids: ids.subarray(0, length), scores: scores.subarray(0, length) };
}

/** The literals of the first, with the scores of both. */
export function withScores({ ids, scores }: ScoredIds, other: ScoredIds): ScoredIds {
  const sums = scores.slice();
  for (let i = 0, r = 0; i < ids.length; i++) {
    while (r < other.ids.length && other.ids[r]! < ids[i]!) r++;
    if (other.ids[r] === ids[i]) sums[i]! += other.scores[r]!;
  }
  return { ids, scores: sums };
}

export function without({ ids, scores }: ScoredIds, excluded: Uint32Array): ScoredIds {
  const kept = new Uint32Array(ids.length);
  const keptScores = new Float64Array(ids.length);
  let length = 0;
  for (let i = 0, r = 0; i < ids.length; i++) {
    while (r < excluded.length && excluded[r]! < ids[i]!) r++;
    if (excluded[r] === ids[i]) continue;
    kept[length] = ids[i]!;
    keptScores[length++] = scores[i]!;
  }
  return { ids: kept.subarray(0, length), scores: keptScores.subarray(0, length) };
}
