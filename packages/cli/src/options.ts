/** The options that several commands share, defined once. */
import { InvalidArgumentError, isAbsoluteIri } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Command, Option } from 'commander';
import type { Backend, Durability, QuadPattern } from 'quadrille';
import { addTokenFile } from './server/server-token.js';

export const DEFAULT_REPOSITORY = 'default/default';

export function addRepository(command: Command): Command {
  return command.option('-r, --repository <account/repository>', `repository to use (default: ${DEFAULT_REPOSITORY})`);
}
/** The options of commands whose place may be a repository of a server. */
export const addPlace = (command: Command): Command => addTokenFile(addRepository(command));

/** How the help calls such a place. */
export const PLACE = 'directory or URL of a store, or address of a repository of a server';
export function addBranch(command: Command): Command {
  return command.option(
    '--branch <name>',
    'which branch of the repository (default: main; of a server: its default branch)',
  );
}
export function addJson(command: Command): Command {
  return command.option('--json', 'one JSON object a line on standard output, errors as JSON on standard error');
}
export function addAt(command: Command): Command {
  return command.option('--at <ref>', 'read this revision: a number, a UUID, HEAD~1, a time, a tag or a branch');
}
export function addCommit(command: Command): Command {
  return command
    .option('-m, --message <text>', 'message of the revision')
    .option('--author <name>', 'author of the revision')
    .option(
      '--no-upgrade',
      'refuse the first write to a store of an earlier format, which would upgrade it permanently',
    )
    .addOption(durability());
}
/** What the options of {@link addCommit} give. */
export interface CommitOptions {
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
}

export const BACKENDS: readonly Backend[] = ['leveldb', 'lmdb'];

export function backend(): Option {
  return new Option('--backend <name>', 'storage backend of a new store (default: leveldb)').choices(BACKENDS);
}
export function durability(): Option {
  return new Option('--durability <level>', 'failure that a commit survives').choices(['disk', 'process']);
}

export function rdfDirection(): Option {
  return new Option('--rdf-direction <form>', 'form of JSON-LD strings with a base direction').choices([
    'i18n-datatype',
    'compound-literal',
  ]);
}

export function processingMode(): Option {
  return new Option('--processing-mode <mode>', 'version of JSON-LD (default: json-ld-1.1)').choices([
    'json-ld-1.0',
    'json-ld-1.1',
  ]);
}

/** A whole number of at least `minimum`. */
export function wholeNumber(name: string, minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= minimum) return value;
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `${name} is not a whole number from ${String(minimum)} up: ${text}`,
    );
  };
}

/** Seconds, as milliseconds. */
export const seconds =
  (option: string) =>
  (text: string): number => {
    const value = Number(text);
    if (value > 0 && value <= 86_400) return Math.ceil(value * 1000);
    throw new InvalidArgumentError('INVALID_OPTION', `${option} is not a number of seconds: ${text}`);
  };

/** Minutes, as milliseconds. */
export const minutes =
  (option: string) =>
  (text: string): number => {
    const value = Number(text);
    if (value > 0 && value <= 14_400) return Math.ceil(value * 60_000);
    throw new InvalidArgumentError('INVALID_OPTION', `${option} is not a number of minutes up to 14,400: ${text}`);
  };

/** A percentage above 0 and up to 100, as a share. */
export const percent =
  (option: string) =>
  (text: string): number => {
    const value = Number(text.replace(/%$/, ''));
    if (value > 0 && value <= 100) return value / 100;
    throw new InvalidArgumentError('INVALID_OPTION', `${option} is not a percentage above 0 and up to 100: ${text}`);
  };

/** The members that are not `undefined`. */
export function given<T extends object>(options: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}

/** The options of commands that read the quads of a pattern. */
export interface PatternOptions {
  readonly subject?: string;
  readonly predicate?: string;
  readonly object?: string;
  readonly graph?: string;
}

/** @param graph how `--graph` is described, if it can also be given without a term */
export function addPattern(command: Command, graph?: string): Command {
  return command
    .option('-s, --subject <term>', 'only quads with this subject')
    .option('-p, --predicate <iri>', 'only quads with this predicate')
    .option('-o, --object <term>', 'only quads with this object')
    .option(`-g, --graph ${graph === undefined ? '<term>' : '[term]'}`, graph ?? 'only quads of this graph');
}

/** The pattern of the options, without the members that are not given. @throws InvalidArgumentError `INVALID_OPTION` */
export async function patternOf({ subject, predicate, object, graph }: PatternOptions): Promise<QuadPattern> {
  const { defaultGraph } = await import('quadrille');
  const pattern = {
    subject: await termOf('--subject', subject, 'NamedNode', 'BlankNode'),
    predicate: await termOf('--predicate', predicate, 'NamedNode'),
    object: await termOf('--object', object, 'NamedNode', 'BlankNode', 'Literal', 'Quad'),
    graph: graph === 'default' ? defaultGraph() : await termOf('--graph', graph, 'NamedNode', 'BlankNode'),
  };
  return pattern as QuadPattern;
}

/** A term of an option. @throws InvalidArgumentError `INVALID_OPTION` */
export async function termOf(
  option: string,
  text: string | undefined,
  ...kinds: readonly RDF.Term['termType'][]
): Promise<RDF.Term | undefined> {
  if (text === undefined) return undefined;
  const { iri, parseTerm } = await import('quadrille');
  const isQuoted = /^(?:<|_:|")/.test(text);
  if (!isQuoted && !isAbsoluteIri(text)) throw wrong(option, text, 'neither an absolute IRI nor a term of N-Triples');
  let term: RDF.Term;
  try {
    term = isQuoted ? parseTerm(text) : iri(text);
  } catch (error) {
    throw wrong(option, text, error instanceof Error ? error.message : String(error));
  }
  if (!kinds.includes(term.termType)) throw wrong(option, text, `a ${term.termType} cannot stand there`);
  return term;
}

const wrong = (option: string, text: string, why: string): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', `${option} ${text.slice(0, 100)}: ${why}`);
