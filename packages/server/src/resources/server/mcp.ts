/** `/mcp`: tools for agents, by the Model Context Protocol. Whoever does not serve agents does not load what answers here. */
import { JSON_TYPE } from '../media-types.js';
import { raw, type Resource } from '../resource.js';

export const mcpResource: Resource = {
  path: '/mcp',
  isServed: ({ agents }) => agents !== undefined,
  handlers: (service) => service.agents?.(service) ?? {},
  methods: {
    // Each tool checks the right that it needs to the repository of its call.
    POST: {
      access: 'public',
      ...raw(),
      summary: 'A message of the Model Context Protocol: tools for agents (with `--mcp`)',
      also: [202],
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
    GET: {
      access: 'public',
      ...raw(),
      summary: 'Updates of what an agent has subscribed to, as server-sent events',
      gives: ['text/event-stream'],
    },
    DELETE: { access: 'public', ...raw(), summary: 'End the session of an agent' },
  },
};
