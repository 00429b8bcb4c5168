/** `DELETE /A/R/revisions`: removes old revisions. */
import { badRequest, HttpError } from '@quadrille/http';
import type { TrimOptions } from 'quadrille';
import type { Context } from '../../context.js';
import { jsonReply } from '../../http/json-reply.js';
import type { Reply } from '../../http/reply.js';
import { bodyText } from '../../http/body.js';
import { flagOf } from '../../parameters/flag.js';
import { revisionRef } from '../../parameters/revision-ref.js';
import { openRepository, type Service } from '../../service.js';

/** Others are refused, because a misspelled one would remove more than intended. */
const PARAMETERS = new Set(
  'revision-id revision revision-uuid mode last per-day dry-run branch access_token client-request-id'.split(' '),
);
const MODES = ['project-history', 'delete-history'] as const;
const MOST_BODY_BYTES = 1024;

export async function trimRevisions(service: Service, context: Context): Promise<Reply> {
  const { parameters, request, caller } = context;
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) throw badRequest(`DELETE knows no parameter ${unknown.slice(0, 50)}; nothing was removed`);
  if ((await bodyText(request, MOST_BODY_BYTES)) !== '')
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', 'DELETE takes its parameters in the address, not in a body');
  const before = revisionRef(parameters, request.headers);
  const options: TrimOptions = {
    ...(before !== undefined && { before }),
    last: countOf(parameters, 'last'),
    perDay: countOf(parameters, 'per-day'),
    mode: modeOf(parameters),
    dryRun: flagOf(parameters, 'dry-run', true),
    author: caller.account,
    signal: request.signal,
  };
  const repository = await openRepository(service, context);
  return jsonReply(await service.hosted.removals.trim(caller, repository, options));
}

function countOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)?.trim();
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw badRequest(`${name} is not a whole number from 1 on: ${text.slice(0, 50)}; nothing was removed`);
}

function modeOf(parameters: URLSearchParams): TrimOptions['mode'] {
  const text = parameters.get('mode')?.trim();
  const mode = MODES.find((known) => known === text);
  if (text === undefined || mode !== undefined) return mode;
  throw badRequest(`mode is project-history or delete-history, not ${text.slice(0, 50)}; nothing was removed`);
}
