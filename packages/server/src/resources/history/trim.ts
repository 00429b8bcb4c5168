/** `DELETE /A/R/revisions`: removes old revisions. */
import { refuseParameter } from '../../http/index.js';
import type { TrimOptions } from 'quadrille';
import type { Context } from '../../context.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { flagOf } from '../../parameters/flag.js';
import { requireRevision, revisionRef } from '../../parameters/revision-ref.js';
import { openRepository, type Service } from '../../service.js';

const MODES = ['project-history', 'delete-history'] as const;

export async function trimRevisions(service: Service, context: Context): Promise<Reply> {
  const { parameters, request, caller } = context;
  requireRevision(parameters);
  const from = revisionRef(parameters, request.headers);
  const options: TrimOptions = {
    ...(from !== undefined && { from }),
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
  throw refuseParameter(name)(`${name} is not a whole number from 1 on: ${text.slice(0, 50)}; nothing was removed`);
}

function modeOf(parameters: URLSearchParams): TrimOptions['mode'] {
  const text = parameters.get('mode')?.trim();
  const mode = MODES.find((known) => known === text);
  if (text === undefined || mode !== undefined) return mode;
  throw refuseParameter('mode')(
    `mode is project-history or delete-history, not ${text.slice(0, 50)}; nothing was removed`,
  );
}
