/** Makes a text shorter that fails a check, as long as it fails. */

/** Leaves out parts, first long ones, then single characters. */
export function shrink(text: string, fails: (text: string) => boolean): string {
  let smallest = text;
  for (let size = Math.max(1, smallest.length >> 1); size >= 1; size >>= 1) {
    for (let at = 0; at < smallest.length;) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      if (fails(shorter)) smallest = shorter;
      else at += size;
    }
  }
  return smallest;
}
