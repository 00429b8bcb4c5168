/** `/openapi.json`: the interface as a document for tools. */
import { jsonReply } from '../../message/json-reply.js';
import { openApiDocument } from '../../openapi/document.js';
import { VERSION } from '../../documents/version.js';
import { baseUrl, type Handlers, type Service } from '../../service.js';
import { form, type Resource, servedBy } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const openApiResource: Resource = {
  path: '/openapi.json',
  handlers: openApiRoute,
  methods: {
    GET: { access: 'public', ...form(), summary: 'This document', gives: [JSON_TYPE] },
  },
};

function openApiRoute(service: Service, all: readonly Resource[]): Handlers {
  const served = servedBy(service, all);
  return {
    async GET(context) {
      return jsonReply(
        openApiDocument(served, { base: baseUrl(service, context), version: VERSION, rpc: service.rpc }),
      );
    },
  };
}
