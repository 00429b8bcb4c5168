/** Compares the output that a page shows with what came. */

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/qdt_[\w-]+/g, 'TOKEN'],
  [/\b[0-9a-f]{16,64}\b/g, 'HEX'],
  [/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b\d+(?:\.\d+)? ms\b/g, 'N ms'],
];

/** Ids, tokens, times and durations differ each time. */
export function steady(text: string): string {
  let steady = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  for (const [pattern, name] of VOLATILE) steady = steady.replaceAll(pattern, name);
  return steady;
}

/** `…` in the shown text stands for any text of its line, and as a line of its own for any lines. */
export function agrees(shown: string, came: string): boolean {
  const pattern = steady(shown)
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\n)*?'
        : `${line
            .split('…')
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*')}\n`,
    )
    .join('');
  return new RegExp(`^${pattern}$`).test(`${steady(came)}\n`);
}
