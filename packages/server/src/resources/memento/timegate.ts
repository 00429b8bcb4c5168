/** `/A/R/timegate`: redirects to the revision at or before `Accept-Datetime` (RFC 7089, pattern 2). */
import type { Context } from '../../context.js';
import { branchQuery } from '../../parameters/branch.js';
import { acceptDatetime, mementoUrls, revisionAt } from './memento.js';
import { type Handlers, openRepository, repositoryUrl, type Service } from '../../service.js';
import { requireOriginal } from './timemap.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';

export const timegateResource: Resource = {
  path: `${R}/timegate`,
  handlers: timegateRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'Leads to the revision of Accept-Datetime', status: 302 },
  },
};

export const namedTimegateResource: Resource = {
  path: `${R}/timegate/:uri{.+}`,
  handlers: namedTimegateRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'Leads to the revision of Accept-Datetime', status: 302 },
  },
};

function timegateRoute(service: Service): Handlers {
  return { GET: (context) => redirect(service, context) };
}

/** `/A/R/timegate/<URI>`, as clients of Memento make it. */
function namedTimegateRoute(service: Service): Handlers {
  return {
    async GET(context) {
      requireOriginal(context, repositoryUrl(service, context));
      return redirect(service, context);
    },
  };
}

async function redirect(service: Service, context: Context): Promise<Reply> {
  const time = acceptDatetime(context.header('Accept-Datetime'));
  const repository = await openRepository(service, context);
  const revision = time === undefined ? await repository.revision() : await revisionAt(repository, time);
  const urls = mementoUrls(repositoryUrl(service, context), branchQuery(context, '?'));
  const links = [
    `<${urls.original}>; rel="original"`,
    `<${urls.linkTimemap}>; rel="timemap"; type="application/link-format"`,
    `<${urls.of(revision)}>; rel="memento"; datetime="${revision.time.toUTCString()}"`,
  ];
  return new Reply(null, { status: 302, headers: { Location: urls.of(revision), Link: links.join(', ') } });
}
