/** The parameters that a route takes. All others are refused, because one that is ignored makes a request do more than its client means. */
import { HttpError, refuseParameter } from '../http/index.js';
import { editDistance, nearestWord } from '@quadrille/model';
import type { Context, Takes } from '../context.js';
import {
  bodyBytes,
  bodyForm,
  FORM,
  MAX_METADATA_BYTES,
  MAX_QUERY_BYTES,
  mediaTypeOf,
  textLimit,
} from '../message/body.js';
import type { HttpRequest } from '../message/request.js';
import type { Service } from '../service.js';
import { enterBranch } from './branch.js';
import { ALIASES, isDescribed, MAY_BE_EMPTY, type ParameterName, PREFIXES, REPEATABLE } from './known-parameters.js';

/** Every route takes these names. A token in a parameter is read before the route. */
const EVERYWHERE = ['auth_token'];
/** In a form, another method than POST. It was read before the route. */
const METHOD = '_method';

/** The names that a method of a route takes, with all their aliases. */
export function closedList(names: readonly ParameterName[], path: string): ReadonlySet<string> {
  const aliases = Object.entries(ALIASES).flatMap(([alias, name]) =>
    names.some((each) => each === alias || each === name) ? [alias, name!] : [],
  );
  // Everything in a repository is on a branch.
  const branch = path.includes('/:repository') ? ['branch'] : [];
  return new Set([...names, ...aliases, ...branch, ...EVERYWHERE]);
}

/** What chooses statements, a graph, a revision or a branch. A read that ignored one of these would answer with other data than were asked for. */
const FILTERS = (
  'graph graph-uri context subj pred obj subject predicate object revision revision-id revision-uuid branch ' +
  'default-graph-uri named-graph-uri'
).split(' ');

/** Whether a name is that of a filter, in any case of letters, and with one mistake of typing. */
function looksLikeFilter(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return FILTERS.some((filter) => Math.abs(filter.length - lower.length) <= 1 && editDistance(lower, filter) <= 1);
}

/**
 * Checks the parameters of a request. One that changes something takes those of its route, each once and with a value. One that reads
 * ignores others, unless they look like a filter.
 * @throws HttpError `INVALID_PARAMETER`
 */
export function checkParameters({ parameters, takes, request }: Context): void {
  if (parameters.size === 0 || takes === undefined) return;
  const reads = request.method === 'GET';
  const given = new Set<string>();
  for (const [name, value] of parameters) {
    const known = knownName(name, takes.names);
    if (known === undefined) {
      if (!reads || looksLikeFilter(name)) throw unknown(name, takes.names, reads);
      continue;
    }
    if (reads && !FILTERS.includes(known)) continue;
    if (given.has(known) && !REPEATABLE.has(known)) throw refuseParameter(name)(`${name} is given more than once`);
    given.add(known);
    if (!reads && isMissing(known, value))
      throw refuseParameter(name)(`${name} is empty: give a value, or leave it out`);
  }
}

/** The name by which a parameter is counted: an alias counts as what it stands for. `undefined` for one that the route does not take. */
function knownName(name: string, takes: ReadonlySet<string>): string | undefined {
  if (takes.has(name)) return ALIASES[name] ?? name;
  return PREFIXES.some((prefix) => takes.has(prefix) && name.startsWith(prefix) && name !== prefix) ? name : undefined;
}

const isMissing = (name: string, value: string): boolean => value.trim() === '' && !MAY_BE_EMPTY.has(name);

const SHOWN = 100;

function unknown(name: string, takes: ReadonlySet<string>, reads: boolean): Error {
  const names = [...takes].filter(isDescribed);
  const meant = nearestWord(name.trim(), names);
  const all = names.filter((each) => ALIASES[each] === undefined).join(', ');
  const hint = /[\s<{"]/.test(name.trim())
    ? 'a body that is no form needs its own type, as in curl -H "Content-Type: text/turtle"'
    : meant === undefined
      ? `it takes ${all === '' ? 'none' : all}`
      : `did you mean ${meant}?`;
  const end = reads ? '' : '; nothing was changed';
  return refuseParameter(name)(`this resource has no parameter ${name.slice(0, SHOWN)}: ${hint}${end}`);
}

/**
 * Reads the body of a request whose handler does not read it: a form, whose fields are parameters. Any other body is refused, because the
 * client may mean it as a filter.
 * @throws HttpError `INVALID_PARAMETER`, 413, 415
 */
export function enterForm(service: Service, context: Context): void | Promise<void> {
  const { request, takes } = context;
  if (request.method === 'GET' || takes === undefined || takes.body === 'raw') return undefined;
  if (mediaTypeOf(request) === FORM) return readForm(service, context, takes);
  return takes.body === 'typed' || request.body === null ? undefined : refuseBody(request);
}

async function readForm(service: Service, context: Context, { body, names }: Takes): Promise<void> {
  const isRecord = body === 'typed' && !names.has('update');
  const limit = isRecord ? MAX_METADATA_BYTES : await textLimit(service, context);
  enterFields(context, await bodyForm(context.request, limit));
}

async function refuseBody(request: HttpRequest): Promise<void> {
  for await (const bytes of bodyBytes(request, MAX_QUERY_BYTES)) {
    if (bytes.length > 0)
      throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `${request.method} takes parameters here, and no body but a form`);
  }
}

/** Takes the fields of a form as parameters. Some clients send a parameter in the address, too: an equal pair counts once. */
export function enterFields(context: Context, fields: URLSearchParams): void {
  const merged = new URLSearchParams(context.parameters);
  for (const [name, value] of fields) {
    if (name !== METHOD && !context.parameters.getAll(name).includes(value)) merged.append(name, value);
  }
  context.parameters = merged;
  checkParameters(context);
}

/** The same of a form that only the handler can read: it may name the branch, too. */
export async function enterLateFields(service: Service, context: Context, fields: URLSearchParams): Promise<void> {
  enterFields(context, fields);
  await enterBranch(service, context);
}

/** Refuses what the route takes, but not for the kind of request that the body has shown. @throws HttpError `INVALID_PARAMETER` */
export function narrowTo(context: Context, names: readonly ParameterName[]): void {
  const { takes } = context;
  if (takes === undefined) return;
  let known = narrowed.get(takes);
  if (known === undefined) narrowed.set(takes, (known = new Map()));
  let narrow = known.get(names);
  if (narrow === undefined) known.set(names, (narrow = narrowedTo(takes, names)));
  context.takes = narrow;
  checkParameters(context);
}

/** By what a route takes, and the lists of the module of its handler. */
const narrowed = new WeakMap<Takes, Map<readonly ParameterName[], Takes>>();

function narrowedTo(takes: Takes, names: readonly ParameterName[]): Takes {
  const kept = closedList([...names, 'branch', 'graph', 'default', 'action'], '');
  return { ...takes, names: new Set([...takes.names].filter((name) => kept.has(name))) };
}
