/** The error for a function that is not known. */
import { EvaluationError, nearestWord } from '@quadrille/model';
import { toEvaluationError } from '../control/control.js';
import { UnknownFunction } from '../expression/unknown-function.js';

/** The public error for any error of an evaluation. */
export const toPublicError = (error: unknown): Error =>
  error instanceof UnknownFunction ? unknownFunction(error) : toEvaluationError(error);

export function unknownFunction({ iri, count, isDistinct, known }: UnknownFunction): EvaluationError {
  return new EvaluationError('UNKNOWN_FUNCTION', reason(iri, count, isDistinct, known), { details: { function: iri } });
}

function reason(iri: string, count: number, isDistinct: boolean, known: readonly string[]): string {
  if (!known.includes(iri)) {
    const meant = nearestOf(iri, known);
    const hint = meant === undefined ? ':' : `, did you mean <${meant}>?`;
    return `the function <${iri}> is not known${hint} open(…, { functions }) adds functions`;
  }
  if (isDistinct) return `the function <${iri}> is no aggregate: it cannot have DISTINCT`;
  return `the function <${iri}> takes 1 argument, not ${count}`;
}

/** The known function whose name behind the last `#` or `/` is near. */
function nearestOf(iri: string, known: readonly string[]): string | undefined {
  const names = known.map((each) => localName(each).toUpperCase());
  const meant = nearestWord(localName(iri), names);
  return meant === undefined ? undefined : known[names.indexOf(meant)];
}

const localName = (iri: string): string => iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
