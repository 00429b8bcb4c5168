/** Forwards requests to the server that writes. Requests and answers are streamed. */
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';

/** On a forwarded request: it is not forwarded again. */
const FORWARDED = 'quadrille-forwarded';
const CONNECT_MS = 2000;
/** Fields that are for one connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te']);
/** The work of the server that writes lives there: jobs, running queries, open transactions. */
const AT_HOLDER = /\/(?:jobs|queries|transactions)(?:[/?]|$)/;

/** Whether only the server that writes can answer. Other requests read. */
export function isForHolder({ method, url = '', headers }: IncomingMessage): boolean {
  if (method === 'OPTIONS') return false;
  if (method !== 'GET' && method !== 'HEAD')
    return !/^application\/sparql-query\b/i.test(headers['content-type'] ?? '');
  return AT_HOLDER.test(url);
}

/** Whether another server has forwarded the request already. */
export const wasForwarded = ({ headers }: IncomingMessage): boolean => headers[FORWARDED] !== undefined;

/**
 * Sends the request to the server at `holder`, with the caller's credentials, and its answer back.
 * @param onRefused called if nobody listens there: then nothing was done
 */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  holder: string,
  onRefused: () => void,
): void {
  const { protocol, hostname, port } = new URL(holder);
  const headers: Record<string, string | string[]> = { [FORWARDED]: '1' };
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && !OF_CONNECTION.has(name)) headers[name] = value;
  }
  const from = incoming.socket.remoteAddress ?? '';
  const before = incoming.headers['x-forwarded-for'];
  headers['x-forwarded-for'] = before === undefined ? from : `${String(before)}, ${from}`;
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const { method, url: path } = incoming;
  const sent = send({ hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path, headers, agent: false });
  let isConnected = false;
  sent.once('socket', (socket) => {
    const timer = setTimeout(() => sent.destroy(new Error('it does not answer')), CONNECT_MS);
    socket.once('connect', () => {
      isConnected = true;
      clearTimeout(timer);
    });
    socket.once('close', () => clearTimeout(timer));
  });
  sent.once('response', (answer) => {
    const fields = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name));
    outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(fields));
    answer.pipe(outgoing);
    // An answer that breaks off is not ended as if it were complete.
    answer.once('error', () => outgoing.destroy());
  });
  sent.once('error', () => {
    if (outgoing.headersSent) return void outgoing.destroy();
    incoming.unpipe(sent);
    incoming.resume();
    if (isConnected) return refuse(outgoing, 'COMMIT_UNKNOWN', UNKNOWN);
    onRefused();
    refuse(outgoing, 'STORE_UNAVAILABLE', AWAY);
  });
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) sent.destroy();
  });
  incoming.pipe(sent);
}

const UNKNOWN = 'The server that writes broke the connection, so nobody knows whether this was done. Read to find out.';
const AWAY = 'The server that writes cannot be reached. Nothing was done. Try again.';
export const NO_HOLDER = 'No server writes at this moment. Nothing was done. Try again.';

/** Answers 503. */
export function refuse(outgoing: ServerResponse, code: string, error: string): void {
  if (outgoing.destroyed) return;
  const requestId = crypto.randomUUID();
  outgoing.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Retry-After': '1',
  });
  outgoing.end(`${JSON.stringify({ error, code, status: 503, requestId })}\n`);
}
