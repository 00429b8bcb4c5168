/** `/A/R/erase`: erases data from all revisions of all branches. */
import { parseQuads } from '@quadrille/formats';
import { badRequest, readTerm } from '../../http/index.js';
import { InvalidRecordError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { defaultGraph, type EraseTarget } from 'quadrille';
import { MAX_QUERY_BYTES } from '../../message/body.js';
import { jsonReply } from '../../message/json-reply.js';
import { refuseBranch } from '../../parameters/branch.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { sentObject, type SentObject, textOf } from '../../parameters/sent-object.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { type Resource, raw, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const eraseResource: Resource = {
  path: `${R}/erase`,
  features: ['erase'],
  handlers: eraseRoute,
  methods: {
    POST: {
      access: 'owner',
      ...raw(),
      summary:
        'Erase a term, the statements of a pattern, or single statements, from every revision of every branch (owners)',
      sends: 'Erase',
      shape: 'EraseReport',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
};

const POSITIONS = ['subject', 'predicate', 'object', 'graph'] as const;

function eraseRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const { request, caller } = context;
      refuseRevision(context.parameters, request.headers);
      refuseBranch(context, 'leave branch out: an erasure is of all branches');
      const sent = await sentObject(context, MAX_QUERY_BYTES);
      const dryRun = sent['dryRun'] ?? undefined;
      if (dryRun !== undefined && typeof dryRun !== 'boolean')
        throw new InvalidRecordError({ dryRun: ['must be true or false'] });
      const reason = textOf(sent, 'reason')?.trim() ?? '';
      if (reason === '') throw new InvalidRecordError({ reason: ['is missing: say why, without what is erased'] });
      const target = await targetOf(sent);
      const options = { reason, author: caller.account, signal: request.signal, dryRun };
      const repository = await openRepository(service, context);
      return jsonReply(await service.hosted.removals.erase(caller, repository, target, options));
    },
  };
}

async function targetOf(sent: SentObject): Promise<EraseTarget> {
  const [term, quads] = [textOf(sent, 'term'), textOf(sent, 'quads')];
  const pattern = sent['pattern'] ?? undefined;
  if ([term, quads, pattern].filter((each) => each !== undefined).length !== 1)
    throw badRequest('say what is erased: term, pattern or quads, one of them');
  if (quads !== undefined) return { quads: await quadsOf(quads) };
  if (term !== undefined) return { term: readTerm(term, 'term', badRequest) };
  if (typeof pattern !== 'object' || Array.isArray(pattern))
    throw new InvalidRecordError({ pattern: ['must be an object'] });
  return { pattern: patternOf(pattern as SentObject) };
}

// Labels of blank nodes are those that the repository has.
async function quadsOf(text: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseQuads(text, { format: 'application/n-quads', source: 'quads' })) quads.push(quad);
  if (quads.length === 0) throw new InvalidRecordError({ quads: ['has no quad'] });
  return quads;
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
    return [[position, isDefault ? defaultGraph() : readTerm(text, position, badRequest)]];
  });
  if (terms.length === 0) throw badRequest('an empty pattern would erase everything: delete the repository instead');
  return Object.fromEntries(terms) as ReturnType<typeof patternOf>;
}
