/** `GET /A/R/live`: the answer of a SELECT, and what each revision changes in it, as server-sent events. */
import { badRequest } from '../../http/index.js';
import { EvaluationError } from '@quadrille/model';
import type { LiveUpdate, Repository, Revision } from 'quadrille';
import { hostOf, type HostLiveOptions } from 'quadrille/host';
import type { Context } from '../../context.js';
import { contentType } from '../../documents/media-types.js';
import { answerEvents } from '../../feeds/answer-events.js';
import { Feed, untilOver } from '../../feeds/feed.js';
import { feedStream } from '../../feeds/feed-stream.js';
import { negotiate } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';
import { limitOf } from '../../parameters/revision-range.js';
import { oneRef, refuseRevision } from '../../parameters/revision-ref.js';
import { queryOptions, queryText, theOne } from '../../parameters/sparql-parameters.js';
import { baseOf } from '../../parameters/terms.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { evaluationInTurn } from '../turns.js';
import { timemapNames } from './timemap-graphs.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { LIVE } from '../../parameters/lists.js';

export const liveResource: Resource = {
  path: `${R}/live`,
  features: ['live'],
  handlers: liveRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...LIVE),
      summary: 'The answer of a SELECT, and what each revision changes in it: a feed that goes on',
      needs: ['query'],
      gives: ['text/event-stream'],
    },
  },
};

const EVENTS = 'text/event-stream';

function liveRoute(service: Service): Handlers {
  return { GET: (context) => liveAnswer(service, context) };
}

async function liveAnswer(service: Service, context: Context): Promise<Reply> {
  const { parameters, request } = context;
  negotiate(context.header('Accept') ?? null, [EVENTS]);
  refuseRevision(parameters, request.headers);
  const text = queryText(theOne(parameters, 'query'), parameters);
  const asked = queryOptions(parameters, request.signal);
  const limit = limitOf(parameters) ?? Infinity;
  const repository = await openRepository(service, context);
  const ref = oneRef(context.header('Last-Event-ID') ?? '') ?? oneRef(parameters.get('since') ?? '');
  const since = ref === undefined ? undefined : await revisionBefore(repository, ref);
  const feed = new Feed(service, context);
  const { signal } = feed;
  const sent = { text, parameters, signal };
  try {
    const query = await evaluationInTurn(service, context, sent, ({ task }) =>
      hostOf(repository).prepare(text, {
        baseIRI: baseOf(parameters, `${repositoryUrl(service, context)}/sparql`),
        task,
      }),
    );
    if (query.kind !== 'select') throw badRequest('live follows the answer of a SELECT');
    if (timemapNames(query, asked).length > 0) throw badRequest('live reads no timemap: ask /sparql for it');
    const options: HostLiveOptions = {
      ...asked,
      signal,
      since,
      evaluate: (run) => evaluationInTurn(service, context, sent, ({ call }) => run(call)),
    };
    const updates = repository.live(query.request, options);
    // What is wrong with the first answer is told by the status.
    const first = since === undefined ? await updates.next() : undefined;
    const events = answerEvents(
      untilOver(() => withFirst(first, updates), signal),
      { since, limit },
    );
    return new Reply(feedStream(events, feed), {
      headers: { 'Content-Type': contentType(EVENTS), 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
    });
  } catch (error) {
    feed.end('done');
    throw error;
  }
}

/** The revision that a client resumes from. @throws NotFoundError where it is on another branch */
async function revisionBefore(repository: Repository, ref: string): Promise<Revision> {
  const since = await repository.at(ref).revision();
  // Only looks where the feed would begin.
  const watch = repository.watch({ since, signal: AbortSignal.abort() });
  await watch.next().catch((error: unknown) => {
    if (!(error instanceof EvaluationError)) throw error;
  });
  return since;
}

type Updates = AsyncIterator<LiveUpdate, undefined>;

async function* withFirst(
  first: IteratorResult<LiveUpdate, undefined> | undefined,
  updates: Updates,
): AsyncGenerator<LiveUpdate> {
  try {
    for (let next = first ?? (await updates.next()); next.done !== true; next = await updates.next()) yield next.value;
  } finally {
    await updates.return?.();
  }
}
