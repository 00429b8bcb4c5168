/** `/A/R/erase`: erases data from all revisions of all branches. */
import { badRequest } from '@quadrille/http';
import { InvalidRecordError } from '@quadrille/model';
import { defaultGraph, type EraseTarget } from 'quadrille';
import { jsonReply } from '../../http/json-reply.js';
import { refuseBranch } from '../../parameters/branch.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { sentObject, type SentObject, textOf } from '../../parameters/sent-object.js';
import { parameterTerm } from '../../parameters/terms.js';
import { type Handlers, openRepository, type Service } from '../../service.js';

const POSITIONS = ['subject', 'predicate', 'object', 'graph'] as const;

export function eraseRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const { request, caller } = context;
      refuseRevision(context.parameters, request.headers);
      refuseBranch(context, 'leave branch out: an erasure is of all branches');
      const sent = await sentObject(request, ['term', 'pattern', 'reason']);
      const reason = textOf(sent, 'reason')?.trim() ?? '';
      if (reason === '') throw new InvalidRecordError({ reason: ['is missing: say why, without what is erased'] });
      const target = targetOf(sent);
      const options = { reason, author: caller.account, signal: request.signal };
      const repository = await openRepository(service, context);
      return jsonReply(await service.hosted.removals.erase(caller, repository, target, options));
    },
  };
}

function targetOf(sent: SentObject): EraseTarget {
  const term = textOf(sent, 'term');
  const { pattern } = sent;
  if ((term === undefined) === (pattern === undefined || pattern === null))
    throw badRequest('say what is erased: term or pattern, one of both');
  if (term !== undefined) return { term: parameterTerm(term, 'term') };
  if (typeof pattern !== 'object' || Array.isArray(pattern))
    throw new InvalidRecordError({ pattern: ['must be an object'] });
  return { pattern: patternOf(pattern as SentObject) };
}

// An unknown member would make the pattern match more than intended.
function patternOf(sent: SentObject): Extract<EraseTarget, { pattern: unknown }>['pattern'] {
  const unknown = Object.keys(sent).find((name) => !POSITIONS.some((position) => position === name));
  if (unknown !== undefined)
    throw new InvalidRecordError({ pattern: [`has the unknown member ${unknown.slice(0, 50)}`] });
  const terms = POSITIONS.flatMap((position) => {
    const text = textOf(sent, position);
    if (text === undefined) return [];
    const isDefault = position === 'graph' && text.trim() === 'default';
    return [[position, isDefault ? defaultGraph() : parameterTerm(text, position)]];
  });
  if (terms.length === 0) throw badRequest('an empty pattern would erase everything: delete the repository instead');
  return Object.fromEntries(terms) as ReturnType<typeof patternOf>;
}
