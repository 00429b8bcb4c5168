/**
 * Takes the backslashes out of prefixed names: `dbr:Mercury_\(planet\)` is the IRI with the brackets (SPARQL 1.2, rule
 * PN_LOCAL_ESC), and the grammar leaves them in.
 */
export function unescapeLocalNames(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { prefix, value } = node as { prefix?: unknown; value?: unknown };
  if (typeof prefix === 'string' && typeof value === 'string') {
    (node as { value: string }).value = value.replace(/\\([_~.\-!$&'()*+,;=/?#@%])/g, '$1');
  }
  for (const child of Object.values(node)) unescapeLocalNames(child);
}
