/** `/openapi.json`: the interface as a document for tools. */
import { jsonReply } from '../../message/json-reply.js';
import { openApiDocument } from '../../openapi/document.js';
import { VERSION } from '../../documents/version.js';
import { baseUrl, type Handlers, type Route, type Service } from '../../service.js';

/** `routes` is called with each request, because this route is one of them. */
export function openApiRoute(service: Service, routes: () => readonly Route[]): Handlers {
  return {
    async GET(context) {
      return jsonReply(
        openApiDocument(routes(), { base: baseUrl(service, context), version: VERSION, rpc: service.rpc }),
      );
    },
  };
}
