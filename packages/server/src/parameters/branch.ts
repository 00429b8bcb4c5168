/** The branch that a request names: by the parameter `branch`, by a field of its form, or by the header `Branch`. */
import { HttpError, refuseParameter } from '../http/index.js';
import type { Context } from '../context.js';
import type { RequestHeaders } from '../message/request.js';
import { openRoot, type Service } from '../service.js';
import { servedBranch } from '../host/index.js';

const SHOWN = 100;
const refuse = refuseParameter('branch');

/**
 * The name; `undefined` where the request leaves it to the settings.
 * @throws HttpError 400 where it is empty, or where two places name different branches
 */
export function namedBranch(parameters: URLSearchParams, headers: RequestHeaders): string | undefined {
  const header = headers.get('Branch');
  const names = [...parameters.getAll('branch'), ...(header === null ? [] : [decoded(header)])];
  const [name, ...others] = names.map((each) => each.trim());
  if (name === undefined) return undefined;
  const other = others.find((each) => each !== name);
  if (other !== undefined)
    throw refuse(`the request names two branches, ${name.slice(0, SHOWN)} and ${other.slice(0, SHOWN)}: name one`);
  if (name === '') throw refuse('branch is empty: name a branch, or leave it out');
  return name;
}

// Header fields are ASCII, so other characters are percent-encoded.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError('INVALID_ENCODING', 'the header Branch is not percent-encoded UTF-8');
  }
}

/**
 * Opens the branch that a request names, before anything is read or changed.
 * @throws HttpError 400; NotFoundError `BRANCH_NOT_FOUND`
 */
export function enterBranch(service: Service, context: Context): void | Promise<void> {
  // What is not in a repository is on no branch. A header may be sent with every request of a client.
  if (context.param('repository') === undefined) return;
  const name = namedBranch(context.parameters, context.request.headers);
  if (name !== undefined && name !== context.branch) return openBranch(service, context, name);
}

async function openBranch(service: Service, context: Context, name: string): Promise<void> {
  const repository = await servedBranch(await openRoot(service, context), name);
  if (context.takes?.allBranches === true && context.parameters.has('branch'))
    throw refuse(`this concerns all branches, not ${name} alone: leave branch out; nothing was changed`);
  context.branch = name;
  context.served = repository;
}

/** For what stays on the branch on which it was begun. @throws HttpError 400 where the request names another one */
export function requireSameBranch({ request, parameters }: Context, branch: string): void {
  const named = namedBranch(parameters, request.headers) ?? branch;
  if (named !== branch)
    throw refuse(`this was begun on branch ${branch}, and cannot go on on ${named.slice(0, SHOWN)}`);
}

/** Refuses a branch for what concerns all of them. @throws HttpError 400 */
export function refuseBranch({ branch }: Pick<Context, 'branch'>, instead: string): void {
  if (branch !== undefined) throw refuse(`this concerns all branches, not ${branch} alone: ${instead}`);
}

/** For the addresses in an answer: they name the branch that the request has named. */
export const branchQuery = ({ branch }: Context, before: '?' | '&'): string =>
  branch === undefined ? '' : `${before}branch=${encodeURIComponent(branch)}`;
