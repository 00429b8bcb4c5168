/**
 * `/A/R/ldes`: the revisions as a Linked Data Event Stream 1.0 (https://w3id.org/ldes/specification), in pages of 100 revisions. A page
 * that is full never changes.
 */
import { NotFoundError, type Repository, type Revision } from 'quadrille';
import type { Context } from '../../context.js';
import { contentType, rdfFormat } from '../../documents/media-types.js';
import { quadsDocument } from '../../documents/statements-document.js';
import { acceptable } from '../../message/acceptable.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { Reply } from '../../message/reply.js';
import { textBody } from '../../message/text-body.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { branchQuery } from '../../parameters/branch.js';
import { inTurn } from '../turns.js';
import { members } from './members.js';
import { pageControls, PREFIXES, streamControls, type StreamAddress } from './stream-controls.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';

const OFFERS = ['application/trig', 'application/n-quads', 'application/ld+json'];

export const streamResource: Resource = {
  path: `${R}/ldes`,
  features: ['ldes'],
  handlers: (service) => streamRoute(service),
  methods: {
    GET: {
      access: 'read',
      ...form('timeout'),
      summary: 'The revisions as a Linked Data Event Stream: what it is, and its first page',
      gives: OFFERS,
    },
  },
};

export const streamPageResource: Resource = {
  path: `${R}/ldes/:page`,
  handlers: (service) => streamPageRoute(service),
  methods: {
    GET: { access: 'read', ...form('timeout'), summary: 'A page of the event stream: 100 revisions', gives: OFFERS },
  },
};

const PER_PAGE = 100;
/** A member has its statements in a graph of its own. */
/** Full pages stay as they are. Caches still ask again after a day, because data may be erased. */
const FULL = 'max-age=86400, immutable';

const streamRoute = (service: Service): Handlers => ({ GET: (context) => page(service, context, undefined) });

const streamPageRoute = (service: Service): Handlers => ({
  GET: (context) => page(service, context, pageOf(context.param('page')!)),
});

function pageOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new NotFoundError('REVISION_NOT_FOUND', `the stream has no page ${text.slice(0, 20)}`);
}

/** The first page, without a number, has what the stream is; it leads to the others, one after the other. */
async function page(service: Service, context: Context, number: number | undefined): Promise<Reply> {
  const { parameters } = context;
  const mediaType = acceptable(context, parameters, OFFERS);
  const format = rdfFormat(mediaType)!;
  const repository = await openRepository(service, context);
  const head = await repository.revision();
  const range = rangeOf(number, head);
  const last = range === undefined ? head : await repository.at(range.last).revision();
  const suffix = `${String(format.extensions[0])}-ldes`;
  const unchanged = notModified(context, last, suffix);
  if (unchanged !== undefined) return unchanged;
  const url = `${repositoryUrl(service, context)}/ldes`;
  const address: StreamAddress = { url, query: branchQuery(context, '?'), page: number };
  return inTurn(service, context, { kind: 'query', text: 'event stream', parameters }, async (turn) => {
    const { control } = turn.task;
    const quads = (async function* () {
      if (range === undefined) return yield* streamControls(address, await firstTime(repository, 2));
      yield* pageControls(address, range.isFull ? await firstTime(repository, range.last + 1) : undefined);
      for (let at = range.first; at <= range.last; at++)
        for await (const quad of members(address, repository, await repository.at(at).revision(), control.signal)) {
          const pause = control.checkpoint();
          if (pause !== undefined) await pause;
          yield quad;
        }
    })();
    // Another branch may have its name later.
    const isDone = range?.isFull === true && repository.branch === 'main';
    return new Reply(await textBody(quadsDocument(quads, format, PREFIXES), turn), {
      headers: {
        'Content-Type': contentType(mediaType),
        ETag: entityTag(last, suffix),
        Vary: 'Accept',
        'Cache-Control': isDone ? FULL : 'no-cache',
      },
    });
  });
}

interface PageRange {
  readonly first: number;
  readonly last: number;
  /** Whether there is a next page. */
  readonly isFull: boolean;
}

/** Revision 1 is empty, so the first page begins with revision 2. */
function rangeOf(page: number | undefined, head: Revision): PageRange | undefined {
  if (page === undefined) return undefined;
  const first = 2 + (page - 1) * PER_PAGE;
  if (first > head.number && page > 1)
    throw new NotFoundError('REVISION_NOT_FOUND', `the stream has no page ${String(page)} yet`);
  const end = first + PER_PAGE - 1;
  return { first, last: Math.min(end, head.number), isFull: head.number > end };
}

/** The time of a revision; undefined if there is none yet. */
const firstTime = async (repository: Repository, number: number): Promise<Date | undefined> =>
  number > (await repository.revision()).number ? undefined : (await repository.at(number).revision()).time;
