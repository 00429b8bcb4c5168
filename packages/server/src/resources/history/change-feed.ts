/** `GET /A/R/changes`: the revisions after one, as a feed that goes on, or as those that there are. */
import { refuseParameter } from '../../http/index.js';
import type { Repository, Revision } from 'quadrille';
import type { Context } from '../../context.js';
import { type ChangesAfter, lastChange, patchesUntil } from '../../documents/present-patches.js';
import { contentType } from '../../documents/media-types.js';
import { changeEvents } from '../../feeds/change-events.js';
import { Feed, untilOver } from '../../feeds/feed.js';
import { feedStream } from '../../feeds/feed-stream.js';
import { negotiate } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';
import { textBody } from '../../message/text-body.js';
import { branchQuery } from '../../parameters/branch.js';
import { quadPatternOf } from '../../parameters/quad-pattern.js';
import { limitOf } from '../../parameters/revision-range.js';
import { oneRef } from '../../parameters/revision-ref.js';
import { openRepository, repositoryUrl, type Service } from '../../service.js';

const EVENTS = 'text/event-stream';
const PATCH = 'application/rdf-patch';
const OFFERS = [EVENTS, PATCH];
const MOST_SECONDS = 60;

export async function changeFeed(service: Service, context: Context): Promise<Reply> {
  const { parameters } = context;
  const mediaType = negotiate(context.header('Accept') ?? null, OFFERS);
  const [limit = Infinity, waitMs, pattern] = [limitOf(parameters), waitOf(parameters), quadPatternOf(parameters)];
  const repository = await openRepository(service, context);
  const asked: ChangesAfter = { repository, since: await sinceOf(repository, context), limit, pattern };
  return mediaType === EVENTS ? events(service, context, asked) : patches(service, context, asked, waitMs);
}

/** `Last-Event-ID` is what a client has seen last, so it comes before the address, which stays the same. 0 is the beginning. */
function sinceOf(repository: Repository, context: Context): Promise<Revision> {
  const ref = oneRef(context.header('Last-Event-ID') ?? '') ?? oneRef(context.parameters.get('since') ?? '');
  return ref === undefined ? repository.revision() : repository.at(ref === '0' ? 1 : ref).revision();
}

function waitOf(parameters: URLSearchParams): number {
  const text = parameters.get('wait')?.trim() ?? '';
  if (text === '') return 0;
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MOST_SECONDS) return seconds * 1000;
  throw refuseParameter('wait')(`wait is 0 to ${String(MOST_SECONDS)} seconds, not ${text.slice(0, 50)}`);
}

function events(service: Service, context: Context, asked: ChangesAfter): Reply {
  const { repository, since, limit, pattern } = asked;
  const feed = new Feed(service, context);
  const { signal } = feed;
  const linkOf = patchLinks(service, context);
  const changes = untilOver(() => repository.watch({ since, signal, ...(pattern && { pattern }) }), signal);
  return new Reply(feedStream(changeEvents(changes, { since, limit, signal, linkOf }), feed), {
    // A proxy that collects an answer would hold events back.
    headers: { 'Content-Type': contentType(EVENTS), 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
  });
}

const PATTERN_NAMES = ['subj', 'subject', 'pred', 'predicate', 'obj', 'object', 'context', 'graph'];

/** The address of the difference to the revision before, filtered as the feed is. */
function patchLinks(service: Service, context: Context): (revision: Revision) => string {
  const filter = new URLSearchParams();
  for (const [name, value] of context.parameters)
    if (PATTERN_NAMES.includes(name)) filter.append(name === 'graph' ? 'context' : name, value);
  const base = `${repositoryUrl(service, context)}/diff`;
  const more = (filter.size > 0 ? `&${filter.toString()}` : '') + branchQuery(context, '&');
  return ({ id, parent = id }) => `${base}?from=${parent}&to=${id}${more}`;
}

async function patches(service: Service, context: Context, asked: ChangesAfter, waitMs: number): Promise<Reply> {
  const { limit } = asked;
  const headers = { 'Cache-Control': 'no-cache' };
  const nothing = new Reply(null, { status: 204, headers });
  if (limit === 0) return nothing;
  let last = await lastChange(asked);
  if (last === undefined && waitMs > 0 && (await arrives(service, context, asked, waitMs)))
    last = await lastChange(asked);
  if (last === undefined) return nothing;
  const { signal } = context.request;
  const body = await textBody(patchesUntil(last, asked, signal));
  return new Reply(body, { headers: { ...headers, 'Content-Type': contentType(PATCH) } });
}

/** Whether a revision comes within the time. The request counts as a feed meanwhile. */
async function arrives(service: Service, context: Context, asked: ChangesAfter, waitMs: number): Promise<boolean> {
  const { repository, since, pattern } = asked;
  const feed = new Feed(service, context);
  const timer = setTimeout(() => feed.end('done'), waitMs);
  try {
    const { done } = await repository.watch({ since, signal: feed.signal, ...(pattern && { pattern }) }).next();
    return done !== true;
  } catch (error) {
    if (feed.signal.aborted) return false;
    throw error;
  } finally {
    clearTimeout(timer);
    feed.end('done');
  }
}
