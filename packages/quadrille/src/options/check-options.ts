/** Checks objects of options. A misspelled name or a wrong value is an error, so that no mistake stays unnoticed. */
import { EvaluationError, InvalidArgumentError, nearestWord } from '@quadrille/model';

/** Checks one value. Returns the requirement that it fails, in words that follow "must be", or `undefined` if the value is valid. */
export type Rule = (value: unknown) => string | undefined;
/** A rule for every option of a call. */
export type Rules<Options = unknown> = Readonly<Record<Extract<keyof Options, string>, Rule>>;

/**
 * @param call the name of the call, for messages
 * @throws InvalidArgumentError `INVALID_OPTION`, which names the option
 */
export function checkOptions(options: object | undefined, rules: Readonly<Record<string, Rule>>, call: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new InvalidArgumentError('INVALID_OPTION', `${call}: options must be an object, not ${shown(options)}`);
  }
  for (const option of Object.keys(options)) {
    if (!Object.hasOwn(rules, option)) throw unknownOption(call, option, rules);
    const value = (options as Readonly<Record<string, unknown>>)[option];
    const expected = value === undefined ? undefined : rules[option]!(value);
    if (expected !== undefined) throw wrongOption(call, option, expected, value);
  }
}

/** An option that has a value which cannot be used. */
export function wrongOption(call: string, option: string, expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', `${call}: ${option} must be ${expected}, not ${shown(value)}`, {
    details: { option },
  });
}

/** Options that the types of `quadrille/host` have: whoever does not know them is not told of them. */
const OF_HOSTS: ReadonlySet<string> = new Set(['evaluate', 'id', 'onBranch', 'records', 'task']);

function unknownOption(call: string, option: string, rules: object): InvalidArgumentError {
  const names = Object.keys(rules).filter((name) => !OF_HOSTS.has(name));
  // `timeout` is meant for `timeoutMs`, which is further away than other names.
  const isBegun = (name: string): boolean => name.toLowerCase().startsWith(option.toLowerCase());
  const meant = option === '' ? undefined : (names.find(isBegun) ?? nearestWord(option, names));
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
  const known = names.toSorted((a, b) => Number(b === meant) - Number(a === meant)).join(', ');
  const message = `${call}: unknown option ${JSON.stringify(option)}${hint} (known: ${known})`;
  return new InvalidArgumentError('INVALID_OPTION', message, { details: { option } });
}

const LONGEST_SHOWN = 100;

/** A value in an error message. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value === 'function') return 'a function';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, LONGEST_SHOWN)) : String(value);
  return typeof value === 'string' && value.length > LONGEST_SHOWN ? `${text}…` : text;
}

/** What ends a call that asks it: it throws `ABORTED`. */
export const endsOf = (
  options: { readonly signal?: AbortSignal | undefined } | undefined,
): { throwIfAborted(): void } => ({
  throwIfAborted: () => checkSignal(options?.signal),
});

/** @throws EvaluationError `ABORTED` where the caller has given up */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EvaluationError('ABORTED', 'the caller aborted the call', { cause: signal.reason });
}
