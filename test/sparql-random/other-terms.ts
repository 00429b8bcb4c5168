/** A query with other terms, which is answered by the plan of the first one where its shape is the same. */
import { parseText } from '../../packages/sparql/src/syntax/parse.js';
import { maskTerms } from '../../packages/sparql/src/syntax/shape/mask-terms.js';
import { OPTIONS } from './answers.js';

/** The terms that may change without a change of the shape, in turn; `undefined` where there are no two of a kind. */
export function withOtherTerms(text: string): string | undefined {
  const masked = maskTerms(text);
  if (masked === undefined) return undefined;
  const parse = (other: string): unknown => parseText(other, OPTIONS).parsed;
  // The second text of a shape makes it.
  parse(`${text} `);
  const shape = parse(text);
  const written = (index: number): string => text.slice(masked.terms[index]!.start, masked.terms[index]!.end);
  const slots = masked.terms.flatMap(({ token, start, end }, index) => {
    const kind = token === 'name' ? text.slice(start, text.indexOf(':', start)) : token;
    const other =
      token === 'name' ? `${kind}:q` : token === 'iri' ? '<a:q>' : token === 'string' ? '"q"' : `${written(index)}1`;
    return parse(text.slice(0, start) + other + text.slice(end)) === shape ? [{ kind, start, end }] : [];
  });
  let result = '';
  let from = 0;
  slots.forEach(({ kind, start, end }, index) => {
    const rest = [...slots.slice(index + 1), ...slots.slice(0, index)];
    const { start: otherStart, end: otherEnd } = rest.find((slot) => slot.kind === kind) ?? { start, end };
    result += text.slice(from, start) + text.slice(otherStart, otherEnd);
    from = end;
  });
  result += text.slice(from);
  return result === text ? undefined : result;
}
