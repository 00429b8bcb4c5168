/** Which number the keywords of SPARQL have in a parser, in any case. */

/**
 * The number of a keyword; -1 for any other word, such as the name of a function.
 * @param numbers by the name of the term. Words that JavaScript reserves have a name that begins with `_`.
 */
export function numberOf(value: string, numbers: Readonly<Record<string, number>>): number {
  const word = value.toLowerCase();
  if (word === 'true' || word === 'false') return numbers['BooleanLiteral'] ?? -1;
  // Other keywords are written in any case, but `a` in lower case alone.
  if (word === 'a' && value !== 'a') return -1;
  if (!/^[a-z]+$/.test(word)) return -1;
  return numbers[word] ?? numbers[`_${word}`] ?? -1;
}
