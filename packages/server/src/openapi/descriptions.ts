/** The descriptions of all routes for the OpenAPI document. A test compares them with the table of routes. */
import { HISTORY } from './descriptions/history.js';
import { REPOSITORY } from './descriptions/repository.js';
import { SERVER } from './descriptions/server.js';
import { STATEMENTS } from './descriptions/statements.js';
import type { ResourceDescription } from './operation.js';

export const DESCRIPTIONS: Readonly<Record<string, ResourceDescription>> = {
  ...SERVER,
  ...REPOSITORY,
  ...HISTORY,
  ...STATEMENTS,
};
