/** The branch that a request names. */
import { badRequest } from '@quadrille/http';
import type { RequestHeaders } from '../http/request.js';

const MAIN = 'main';

/**
 * Refuses a request for another branch than `main`, by the parameter `branch` or the header `Branch`: this version serves `main` alone. If
 * the name were ignored, a write would change the wrong branch.
 * @throws HttpError 400
 */
export function refuseBranch(parameters: URLSearchParams, headers: RequestHeaders): void {
  const named = [...parameters.getAll('branch'), headers.get('Branch') ?? MAIN];
  const other = named.find((name) => name !== MAIN);
  if (other === undefined) return;
  throw badRequest(
    `this version serves the branch ${MAIN} alone, not ${other.slice(0, 100)}: use the library or the command for branches`,
  );
}
