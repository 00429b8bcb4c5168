/** The prefixed names of a syntax tree: their escapes, and the prefixes that they use. */

/**
 * Takes the backslashes out of prefixed names, which the grammar leaves in: `dbr:Mercury_\(planet\)` is the IRI with the brackets
 * (SPARQL 1.2, rule PN_LOCAL_ESC). Gives the prefixes of all names.
 */
export function finishNames(tree: object): ReadonlySet<string> {
  const prefixes = new Set<string>();
  // Not recursive: a chain of operators is as deep as it is long.
  const open: object[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { prefix, value } = node as { prefix?: unknown; value?: unknown };
    if (typeof prefix === 'string' && typeof value === 'string') {
      prefixes.add(prefix);
      if (value.includes('\\')) {
        (node as { value: string }).value = value.replace(/\\([_~.\-!$&'()*+,;=/?#@%])/g, '$1');
      }
    }
    for (const child of Object.values(node) as unknown[]) {
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
  return prefixes;
}
