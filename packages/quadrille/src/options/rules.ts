/** Rules for the values of options. */
import { textProblem } from '@quadrille/core';
import type { Backend } from '../api/index.js';
import type { Rule } from './check-options.js';

/** Timers of Node.js and of browsers take no longer time. */
export const MOST_MS = 2 ** 31 - 1;

export const text: Rule = (value) => (typeof value === 'string' ? undefined : 'a string');
export const trueOrFalse: Rule = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
export const aFunction: Rule = (value) => (typeof value === 'function' ? undefined : 'a function');

export const texts: Rule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'a list of strings';

/** A text of at most `maxBytes` bytes of UTF-8. */
export const textOf =
  (maxBytes: number): Rule =>
  (value) =>
    textProblem(value, maxBytes) === undefined
      ? undefined
      : `a string of at most ${String(maxBytes)} bytes of UTF-8, without lone surrogates`;

export const nullOr =
  (rule: Rule): Rule =>
  (value) => {
    const expected = value === null ? undefined : rule(value);
    return expected && `null or ${expected}`;
  };

export const oneOf =
  (...choices: readonly string[]): Rule =>
  (value) =>
    choices.includes(value as string) ? undefined : choices.map((choice) => `'${choice}'`).join(' or ');

/** A backend by its name. */
export const aBackend = oneOf(...(['leveldb', 'lmdb'] satisfies Backend[]));

/** A whole number of something from `least` to `most`. */
export const count =
  (unit: string, least = 0, most = Number.MAX_SAFE_INTEGER): Rule =>
  (value) => {
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return undefined;
    const upTo =
      most === Number.MAX_SAFE_INTEGER
        ? ` that is ${String(least)} or more`
        : ` from ${String(least)} to ${String(most)}`;
    return `a whole number of ${unit}${upTo}`;
  };

/** A number of something that limits it; `Infinity` is no limit. */
export const limit =
  (unit: string): Rule =>
  (value) =>
    typeof value === 'number' && value >= 0 ? undefined : `a number of ${unit} that is 0 or more`;

export const milliseconds: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= MOST_MS
    ? undefined
    : `a number of milliseconds from 0 to ${String(MOST_MS)}`;

export const signal: Rule = (value) => (isSignal(value) ? undefined : 'an AbortSignal');

// Not by its class: signals of other realms and of polyfills are signals too.
function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as Partial<Record<string, unknown>>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** An object whose members have these functions. */
export const withMethods =
  (...names: readonly string[]): Rule =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
      ? undefined
      : `an object with the methods ${names.join(', ')}`;

/** An object by names; its members have rules of their own. */
export const anObject: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map)
    ? undefined
    : 'an object';

/** An object of terms by the names of variables; a Map, or RDF/JS Bindings, would be an object without members. */
export const termsByName: Rule = (value) =>
  anObject(value) === undefined && !(Symbol.iterator in (value as object))
    ? undefined
    : 'an object of terms by the names of variables';

/** Functions of SPARQL by their IRI, each alone or with its properties. */
export const functionsByIri: Rule = (value) => {
  const expected = 'an object of functions by absolute IRI, each a function or { call, deterministic }';
  if (anObject(value) !== undefined) return expected;
  const isDefinition = (item: unknown): boolean => {
    if (typeof item === 'function') return true;
    const { call, deterministic, ...others } = Object(item) as Record<string, unknown>;
    const isFlag = deterministic === undefined || typeof deterministic === 'boolean';
    return typeof call === 'function' && isFlag && Object.keys(others).length === 0;
  };
  return Object.entries(value as object).every(([iri, item]) => isIri(iri) && isDefinition(item))
    ? undefined
    : expected;
};

/** Aggregates of SPARQL by their IRI. */
export const aggregatesByIri: Rule = (value) => {
  const isAggregate = ([iri, item]: [string, unknown]): boolean =>
    isIri(iri) && withMethods('create')(item) === undefined;
  return anObject(value) === undefined && Object.entries(value as object).every(isAggregate)
    ? undefined
    : 'an object of aggregates by absolute IRI, each { create }';
};

/** Contexts of JSON-LD by their address, each JSON or a path. */
export const contextsByAddress: Rule = (value) => {
  const isContext = (item: unknown): boolean =>
    typeof item === 'string' ? item !== '' : typeof item === 'object' && item !== null;
  const isRight = ([address, item]: [string, unknown]): boolean => isIri(address) && isContext(item);
  return anObject(value) === undefined && Object.entries(value as object).every(isRight)
    ? undefined
    : 'an object of contexts by absolute address, each an object, a list or the path of a file';
};

const isIri = (text: string): boolean => /^[a-z][\w+.-]*:/i.test(text);

/** Iterables by name. */
export const iterables: Rule = (value) => {
  const expected = 'an object of iterables by the IRI of their graph';
  if (anObject(value) !== undefined) return expected;
  const isIterable = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && (Symbol.iterator in item || Symbol.asyncIterator in item);
  return Object.values(value as object).every(isIterable) ? undefined : expected;
};

/** For what is checked elsewhere, with an error of its own. */
export const checkedLater: Rule = () => undefined;
