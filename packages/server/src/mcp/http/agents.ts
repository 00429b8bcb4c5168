/** `/mcp`: the Model Context Protocol as "Streamable HTTP" has it. Each answer is one document of JSON; a GET is a stream of updates. */
import { badRequest, HttpError } from '../../http/index.js';
import type { Context } from '../../context.js';
import { VERSION } from '../../documents/version.js';
import { Feed } from '../../feeds/feed.js';
import { feedStream } from '../../feeds/feed-stream.js';
import { isKnown } from '../../host/index.js';
import { bodyText, MAX_QUERY_BYTES, requireJson } from '../../message/body.js';
import { jsonReply } from '../../message/json-reply.js';
import { negotiate } from '../../message/negotiate.js';
import { Reply } from '../../message/reply.js';
import { partyOf } from '../../resources/turns.js';
import type { Agents, Service } from '../../service.js';
import { MESSAGE_BYTES, failure, PARSE_ERROR, Session } from '../session.js';
import type { Documents } from '../docs-tool.js';
import { VERSIONS } from '../introduction.js';
import type { Toolset } from '../tool.js';
import { RequestDoor } from './request-door.js';
import { Sessions } from './sessions.js';

/** What agents are served. */
export interface AgentsOptions {
  /** The tools that they have. */
  readonly tools: readonly Toolset[];
  /** What the tool `docs_search` of the toolset `data` finds: documents, packed. Default: there is no such tool. */
  readonly documents?: Documents;
}

const SESSION = 'Mcp-Session-Id';
const PROTOCOL = 'MCP-Protocol-Version';
/** A missing header means this version. Clients that fall back to it send what the later ones send, but for lists of messages. */
const ASSUMED = '2025-03-26';
const FRESH = { 'Cache-Control': 'no-store' };
const EVENTS = 'text/event-stream';
const EVENT_FIELDS = {
  'Content-Type': `${EVENTS}; charset=utf-8`,
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** The handlers of `/mcp`, as an option of the server. */
export function agents({ tools, documents }: AgentsOptions): Agents {
  return (service) => {
    const sessions = new Sessions();
    const options = { version: VERSION, tools: new Set(tools), documents };
    return {
      POST: (context) => post(service, context, sessions, () => new Session(options)),
      // Rights are looked at with each update, and all the time, as of other long answers.
      async GET(context) {
        checkVersion(context);
        negotiate(context.header('Accept') ?? null, [EVENTS]);
        const session = sessionOf(context, sessions);
        const feed = new Feed(service, context);
        // A route that is public is not watched by itself.
        const leave = service.watch?.enter(context, () => feed.end('gone'));
        feed.signal.addEventListener('abort', () => leave?.(), { once: true });
        const body = feedStream(eventsOf(session, new RequestDoor(service, context), feed), feed);
        return new Reply(body, { headers: { ...EVENT_FIELDS, [SESSION]: session.id } });
      },
      async DELETE(context) {
        checkVersion(context);
        sessionOf(context, sessions).close();
        return new Reply(null, { status: 204 });
      },
    };
  };
}

async function post(service: Service, context: Context, sessions: Sessions, begin: () => Session): Promise<Reply> {
  const { request } = context;
  requireJson(request);
  negotiate(context.header('Accept') ?? null, ['application/json']);
  checkVersion(context);
  const text = await bodyText(request, limitOf(service, context));
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return jsonReply(failure(null, PARSE_ERROR, 'the body is no JSON'), FRESH, 400);
  }
  const begun = isInitialize(message) ? begin() : undefined;
  const session = begun ?? sessionOf(context, sessions);
  const door = new RequestDoor(service, context);
  const answer = await session.handle(message, door, request.signal);
  if (door.refusal !== undefined) throw door.refusal;
  // A notification, an answer, or a request that was cancelled.
  if (answer === undefined) return new Reply(null, { status: 202 });
  if (begun !== undefined && 'result' in answer) sessions.add(partyOf(context), isKnown(context.caller), begun);
  const isMalformed = 'id' in answer && answer.id === null;
  const headers = { ...FRESH, ...(begun !== undefined && { [SESSION]: begun.id }) };
  return jsonReply(answer, headers, isMalformed ? 400 : 200);
}

/** @throws HttpError 400; before a version is agreed on, there is none */
function checkVersion(context: Context): void {
  const version = context.header(PROTOCOL);
  if (version === undefined || version === ASSUMED || VERSIONS.includes(version)) return;
  throw badRequest(`${PROTOCOL} ${version.slice(0, 50)} is not known; ${VERSIONS.join(' and ')} are`);
}

/** @throws HttpError 400 without a session, 404 for one that has ended, or that another one has begun */
function sessionOf(context: Context, sessions: Sessions): Session {
  const id = context.header(SESSION);
  if (id === undefined) throw badRequest(`${SESSION} is missing: the answer to initialize has it`);
  const session = sessions.get(partyOf(context), isKnown(context.caller), id);
  if (session === undefined) throw new HttpError('NOT_FOUND', 'there is no such session: send initialize again');
  return session;
}

/** An update may be longer than a query, if its sender may write. */
const limitOf = ({ hosted }: Service, { caller }: Context): number =>
  isKnown(caller) && !caller.readOnly
    ? Math.min(MESSAGE_BYTES, Math.max(MAX_QUERY_BYTES, hosted.limits.updateBytes))
    : MAX_QUERY_BYTES;

/** The updates as events. They end with the session, too. */
async function* eventsOf(session: Session, door: RequestDoor, { signal }: Feed): AsyncGenerator<string> {
  for await (const message of session.updates(door, signal))
    yield `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

const isInitialize = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
