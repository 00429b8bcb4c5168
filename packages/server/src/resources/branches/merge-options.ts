/** How a merge is made: the members of the JSON that a client sends. */
import { badRequest } from '../../http/index.js';
import { InvalidRecordError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { type Conflict, defaultGraph, type MergeOptions, termToNTriples } from 'quadrille';
import type { Context } from '../../context.js';
import { parameterTerm } from '../../parameters/terms.js';
import { type SentObject, sentOptions, switchOf, textOf } from '../../parameters/sent-object.js';

const STRATEGIES = ['three-way', 'ours', 'theirs'] as const;
const RULES = ['fail', 'ours', 'theirs'] as const;
const SIDES = ['ours', 'theirs', 'base'] as const;
const MEMBERS: ReadonlySet<string> = new Set(['subject', 'predicate', 'graph', 'take', 'values']);

type Decision = (typeof SIDES)[number] | readonly RDF.Term[];

/** Of a merge. @throws HttpError 400, 413, 415; InvalidRecordError */
export async function sentMerge(context: Context): Promise<MergeOptions> {
  const sent = await sentOptions(context);
  const strategy = oneOf(sent, 'strategy', STRATEGIES);
  const fastForward = switchOf(sent, 'fastForward');
  return {
    ...(strategy !== undefined && { strategy }),
    ...(fastForward === true && { fastForward }),
    ...pickOf(sent),
  };
}

/** Of a cherry-pick. @throws as {@link sentMerge} */
export async function sentPick(context: Context): Promise<Omit<MergeOptions, 'strategy'>> {
  return pickOf(await sentOptions(context));
}

function pickOf(sent: SentObject): Pick<MergeOptions, 'onConflict' | 'message'> {
  const message = textOf(sent, 'message')?.trim() ?? '';
  const rule = oneOf(sent, 'onConflict', RULES);
  const decided = resolutionsOf(sent['resolutions'] ?? []);
  const others = rule === 'fail' ? undefined : rule;
  const decide = (conflict: Conflict): Decision | undefined => decided.get(keyOf(conflict)) ?? others;
  const onConflict = decided.size > 0 ? decide : rule;
  return { ...(message !== '' && { message }), ...(onConflict !== undefined && { onConflict }) };
}

function oneOf<T extends string>(sent: SentObject, name: string, values: readonly T[]): T | undefined {
  const text = textOf(sent, name);
  if (text === undefined || values.includes(text as T)) return text as T | undefined;
  throw new InvalidRecordError({ [name]: [`must be ${values.join(', ')}`] });
}

type Place = Pick<Conflict, 'subject' | 'predicate' | 'graph'>;
const keyOf = ({ subject, predicate, graph }: Place): string =>
  [subject, predicate, graph].map(termToNTriples).join(' ');

/** What is decided of single conflicts, by their place. What is no conflict any more is not looked at. */
function resolutionsOf(sent: unknown): Map<string, Decision> {
  if (!Array.isArray(sent)) throw new InvalidRecordError({ resolutions: ['must be a list'] });
  const found = new Map<string, Decision>();
  for (const each of sent as unknown[]) {
    const place = placeOf(each);
    const key = keyOf(place);
    if (found.has(key)) throw badRequest(`resolutions: ${key.slice(0, 200)} is decided twice`);
    found.set(key, decisionOf(each as SentObject));
  }
  return found;
}

function placeOf(sent: unknown): Place {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badRequest('resolutions: each is an object with subject, predicate, graph, and take or values');
  const unknown = Object.keys(sent).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) throw badRequest(`resolutions: the member ${unknown.slice(0, 100)} is not known`);
  const { subject, predicate, graph } = sent as SentObject;
  return {
    subject: termOf(subject, 'subject'),
    predicate: termOf(predicate, 'predicate'),
    graph: graph === undefined || graph === null ? defaultGraph() : termOf(graph, 'graph'),
  };
}

function decisionOf({ take, values }: SentObject): Decision {
  if ((take === undefined) === (values === undefined))
    throw badRequest('resolutions: give take (ours, theirs or base), or values');
  if (values === undefined) {
    if (SIDES.includes(take as (typeof SIDES)[number])) return take as (typeof SIDES)[number];
    throw badRequest('resolutions: take is ours, theirs or base');
  }
  if (!Array.isArray(values)) throw badRequest('resolutions: values is a list of terms');
  return values.map((value) => termOf(value, 'values'));
}

/** @throws HttpError 400 for a text that is no term of N-Triples and no IRI */
function termOf(text: unknown, name: string): RDF.Term {
  if (typeof text === 'string') return parameterTerm(text, `resolutions: ${name}`);
  throw badRequest(`resolutions: ${name} is a term as N-Triples`);
}
