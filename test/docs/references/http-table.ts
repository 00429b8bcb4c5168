/** The table of all resources in docs/reference/http.md: the records that the router reads. */
import { isDescribed } from '../../../packages/server/src/parameters/known-parameters.js';
import { describedPath } from '../../../packages/server/src/openapi/document.js';
import { RESOURCES } from '../../../packages/server/src/resources/index.js';
import type { MethodRecord } from '../../../packages/server/src/service.js';
import { table } from './code-tables.js';

/** As the page writes addresses: `/A/R/branches/NAME`. */
const addressOf = (path: string): string =>
  describedPath(path)
    .replace('/:account/:repository', '/A/R')
    .replace('/:account', '/A')
    .replaceAll(/:(\w+)/g, (_, name: string) => name.toUpperCase())
    .replaceAll('*', '…');

const parametersOf = ({ names }: MethodRecord): string =>
  [...new Set(names.filter((name) => isDescribed(name)))].map((name) => `\`${name}\``).join(' ');

export const resourcesTable = (): string =>
  table(
    ['address', 'method', 'right', 'what it does', 'parameters'],
    RESOURCES.flatMap(({ path, methods }) =>
      Object.entries(methods).map(([method, record], index) => [
        index === 0 ? `\`${addressOf(path)}\`` : '',
        method,
        record.access,
        record.summary.replaceAll('|', '\\|'),
        parametersOf(record),
      ]),
    ),
  );
