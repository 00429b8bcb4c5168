export { joinPostgres, type JoinPostgresOptions, openPostgres, type OpenPostgresOptions } from './open-postgres.js';
export { PostgresDriver, type PostgresOptions } from './postgres-driver.js';
export type { PrimaryOptions } from './primary.js';
