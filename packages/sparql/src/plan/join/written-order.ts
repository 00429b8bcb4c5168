/** The joins in written order, without planning, to check planned queries against. */
import type { JoinPart, JoinStep } from './join-part.js';

/** One part after the other, each joined by a hash table. */
export function asWritten(parts: readonly JoinPart[]): JoinStep[] {
  const alone = parts.map((_, part) => part).filter((part) => parts[part]!.alone !== undefined);
  const extending = parts.map((_, part) => part).filter((part) => parts[part]!.alone === undefined);
  return [...alone, ...inOrderOfNeed(parts, alone, extending)].map((part, i) => ({
    part,
    rows: 1000,
    method:
      parts[part]!.alone === undefined
        ? { kind: 'extend' }
        : i === 0
          ? { kind: 'start' }
          : { kind: 'hash', build: 'part' },
  }));
}

// Parts that only extend rows wait for what they need.
function inOrderOfNeed(parts: readonly JoinPart[], first: readonly number[], rest: readonly number[]): number[] {
  const bound = new Set(first.flatMap((part) => parts[part]!.variables));
  const waiting = [...rest];
  const order: number[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((part) => parts[part]!.extend?.(bound, bound, []) !== undefined);
    const [part] = waiting.splice(Math.max(ready, 0), 1);
    order.push(part!);
    for (const name of parts[part!]!.variables) bound.add(name);
  }
  return order;
}
