/** The servers that are compared: how each one starts over an empty store, and the addresses of its resources. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import type { Context, Figures, Need, Part } from '../workload.js';
import { freePort, type MeasuredServer, startProgram, startServer } from './server.js';

const QUADRILLE = fileURLToPath(new URL('../../../packages/quadrille/bin/quadrille.js', import.meta.url));

export interface Subject {
  /** Paths: SPARQL queries, SPARQL updates, the Graph Store protocol. */
  readonly query: string;
  readonly update: string;
  readonly store: string;
  /** Path to which a document for the default graph is posted. */
  readonly load: string;
  /** Path of a feed of changes, where it has one. */
  readonly feed?: string;
  /** What is missing to measure it. */
  readonly lacks?: () => string | undefined;
  /** @param directory an empty one, for its store */
  start(directory: string): Promise<MeasuredServer>;
}

const ownPaths = {
  query: `/${REPOSITORY}/sparql`,
  update: `/${REPOSITORY}/sparql`,
  store: `/${REPOSITORY}/service`,
  load: `/${REPOSITORY}/statements`,
  feed: `/${REPOSITORY}/changes`,
};

/** @param durability `disk`: an answer says that the change is on the disk; `process`: that the process has it */
const quadrille = (durability: 'disk' | 'process'): Subject => ({
  ...ownPaths,
  start: async (directory) => {
    const store = join(directory, 'store');
    const database = await open(store);
    await database.repository(REPOSITORY, { create: true });
    await database.close();
    const flags = ['--port', '0', '--json', '--open', '--no-rate-limit', '--durability', durability];
    return startServer(QUADRILLE, ['serve', store, ...flags]);
  },
});

/** A program that a variable of the environment names. */
const program = (variable: string): { readonly path: () => string; readonly lacks: () => string | undefined } => ({
  path: () => process.env[variable]!,
  lacks: () => {
    const path = process.env[variable];
    if (path === undefined) return `${variable} names no program`;
    try {
      accessSync(path, constants.R_OK);
      return undefined;
    } catch {
      return `${variable} names ${path}, which cannot be read`;
    }
  },
});

const oxigraph = program('QUADRILLE_OXIGRAPH');
const fuseki = program('QUADRILLE_FUSEKI');

export const SUBJECTS = {
  quadrille: quadrille('disk'),
  'not durable': quadrille('process'),
  /** `oxigraph` 0.5 answers before the change is on the disk. */
  oxigraph: {
    query: '/query',
    update: '/update',
    store: '/store',
    load: '/store?default',
    lacks: oxigraph.lacks,
    start: async (directory: string) => {
      const port = await freePort();
      const flags = ['--location', join(directory, 'store'), '--bind', `127.0.0.1:${String(port)}`];
      return startProgram(oxigraph.path(), ['serve', ...flags], port);
    },
  },
  /** The jar of Jena's Fuseki server, over TDB2. */
  fuseki: {
    query: '/bench/query',
    update: '/bench/update',
    store: '/bench/data',
    load: '/bench/data?default',
    lacks: fuseki.lacks,
    start: async (directory: string) => {
      const port = await freePort();
      const flags = ['--tdb2', '--loc', directory, '--update', '--port', String(port), '/bench'];
      return startProgram('java', ['-jar', fuseki.path(), ...flags], port);
    },
  },
} satisfies Readonly<Record<string, Subject>>;

/** The part of each server. */
export const partsOf = (
  measure: (subject: Subject, context: Context) => Promise<Figures>,
  needs: readonly Need[] = [],
): Readonly<Record<string, Part>> =>
  Object.fromEntries(
    Object.entries(SUBJECTS).map(([backend, subject]: [string, Subject]) => {
      const { lacks } = subject;
      return [backend, { backend, needs, ...(lacks && { lacks }), measure: (context) => measure(subject, context) }];
    }),
  );
