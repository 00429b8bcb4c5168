/** `/A/R/timemap`: all revisions as mementos (specification, 4.12; RFC 7089). */
import { HttpError } from '../../http/index.js';
import type { Context } from '../../context.js';
import { branchQuery } from '../../parameters/branch.js';
import { type MementoUrls, mementoUrls } from './memento.js';
import { contentType, rdfFormat, STATEMENT_OFFERS } from '../../documents/media-types.js';
import { negotiate } from '../../message/negotiate.js';
import { revisionRange } from '../../parameters/revision-range.js';
import { jsonArray } from '../../message/json-reply.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { quadsDocument } from '../../documents/statements-document.js';
import { textBody } from '../../message/text-body.js';
import {
  previousPage,
  TIMEMAP_PREFIXES,
  timemapLinks,
  timemapRecords,
  timemapTriples,
} from '../../documents/timemap-documents.js';
import { Reply, ReplyHeaders } from '../../message/reply.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { RANGE } from '../../parameters/lists.js';
import { JSON_TYPE } from '../media-types.js';

export const timemapResource: Resource = {
  path: `${R}/timemap`,
  features: ['memento'],
  handlers: timemapRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...RANGE),
      summary: 'All revisions as mementos',
      gives: [...new Set(['application/n-triples', 'application/link-format', JSON_TYPE, ...STATEMENT_OFFERS])],
    },
  },
};

export const linkTimemapResource: Resource = {
  path: `${R}/timemap/link/:uri{.+}`,
  handlers: linkTimemapRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...RANGE),
      summary: 'The timemap as link-format',
      gives: ['application/link-format'],
    },
  },
};

export const LINK_FORMAT = 'application/link-format';
const N_TRIPLES = 'application/n-triples';
const OFFERS = [
  ...new Set([N_TRIPLES, LINK_FORMAT, 'application/json', ...STATEMENT_OFFERS]),
] as const satisfies readonly string[];

function timemapRoute(service: Service): Handlers {
  return {
    GET: (context) => timemap(service, context, negotiate(context.header('Accept') ?? null, OFFERS)),
  };
}

/** `/A/R/timemap/link/<URI>`: always in link format, as Memento clients expect it at such addresses. */
function linkTimemapRoute(service: Service): Handlers {
  return {
    async GET(context) {
      requireOriginal(context, repositoryUrl(service, context));
      return timemap(service, context, LINK_FORMAT);
    },
  };
}

/** The timemap in one media type. */
export async function timemap(service: Service, context: Context, mediaType: string): Promise<Reply> {
  const repository = await openRepository(service, context);
  const range = await revisionRange(repository, context.parameters, context.request.headers);
  const urls = mementoUrls(repositoryUrl(service, context), branchQuery(context, '?'));
  const { chunks, type } = documentOf(mediaType, repository, range, urls);
  const headers = new ReplyHeaders({ 'Content-Type': contentType(type) });
  const tail = await repository.at('TAIL').revision();
  if (range.first > tail.number && range.first <= range.last) {
    headers.set('Link', `<${previousPage(urls.timemap, range)}>; rel="prev"`);
  }
  return new Reply(await textBody(chunks), { headers });
}

function documentOf(
  mediaType: string,
  repository: Parameters<typeof timemapTriples>[0],
  range: Parameters<typeof timemapTriples>[1],
  urls: MementoUrls,
): { chunks: AsyncIterable<string>; type: string } {
  if (mediaType === LINK_FORMAT) return { chunks: timemapLinks(repository, range, urls), type: LINK_FORMAT };
  if (mediaType === 'application/json') {
    return { chunks: jsonArray(timemapRecords(repository, range, urls)), type: mediaType };
  }
  const format = rdfFormat(mediaType);
  if (format === undefined) throw new HttpError('NOT_ACCEPTABLE', `${mediaType} cannot be written`);
  const chunks = quadsDocument(timemapTriples(repository, range, urls), format, TIMEMAP_PREFIXES);
  return { chunks, type: format.mediaTypes[0] === N_TRIPLES ? N_TRIPLES : mediaType };
}

/** Checks that the address after `timemap/link/` or `timegate/` is the one of this repository. @throws HttpError 404 */
export function requireOriginal(context: Context, original: string): void {
  // Some proxies collapse double slashes.
  const named = (context.param('uri') ?? '').replace(/^(https?:)\/+/i, '$1//').replace(/[?#].*$/, '');
  const plain = named.replace(/\/repositories\/([^/]+\/?)$/, '/$1').replace(/\/+$/, '');
  if (plain === original || new URL(original).pathname === plain) return;
  throw new HttpError('NOT_FOUND', `this is no address of ${original}: ${named.slice(0, 200)}`);
}
