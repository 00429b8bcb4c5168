/** The pattern of a SERVICE as SPARQL text. */
import { EvaluationError } from '@quadrille/model';
import type { Operation } from '../algebra.js';

export function serviceText(operation: Operation): string {
  throw new EvaluationError('UNSUPPORTED', `SERVICE cannot send ${operation.type} yet`);
}
