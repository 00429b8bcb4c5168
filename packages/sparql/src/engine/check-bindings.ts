/** Bindings of a request: a name that is not in the text is a mistake, and would change what the request does. */
import { InvalidArgumentError } from '@quadrille/model';
import type { ParsedSparql } from '../algebra/request.js';

const MOST_NAMED = 10;

/** @throws InvalidArgumentError `INVALID_OPTION` for a variable that does not stand in the text */
export function checkBindings(parsed: ParsedSparql, bindings: Readonly<Record<string, unknown>> | undefined): void {
  if (bindings === undefined) return;
  for (const name of Object.keys(bindings)) {
    const known = parsed.variables;
    if (known.includes(name)) continue;
    throw new InvalidArgumentError('INVALID_OPTION', `bindings: the request has no variable ?${name}, ${has(known)}`, {
      details: { option: 'bindings', variable: name },
    });
  }
}

function has(known: readonly string[]): string {
  if (known.length === 0) return 'and no other variables';
  const names = known.slice(0, MOST_NAMED).map((name) => `?${name}`);
  return `only ${names.join(', ')}${known.length > MOST_NAMED ? ', …' : ''}`;
}
