/** Loads the check of changes against shapes in two parts: reading and compiling all of it at once holds the event loop for long. */
import { yieldTurn } from '@quadrille/model';

type Guard = typeof import('./check-candidate.js');

let loading: Promise<Guard> | undefined;

/** The same promise for every call, unless loading has failed. */
export function loadGuard(): Promise<Guard> {
  loading ??= inParts();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function inParts(): Promise<Guard> {
  // The shapes use its values and regular expressions.
  await import('@quadrille/sparql');
  await yieldTurn();
  return import('./check-candidate.js');
}
