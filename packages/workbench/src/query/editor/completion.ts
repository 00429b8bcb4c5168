/** What can be written where the cursor is. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { CompletionSource } from './completion-source.js';

const KEYWORDS = (
  'SELECT CONSTRUCT DESCRIBE ASK WHERE FROM NAMED DISTINCT REDUCED AS PREFIX BASE FILTER OPTIONAL UNION MINUS GRAPH SERVICE BIND ' +
  'VALUES EXISTS NOT IN GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET INSERT DELETE DATA WITH USING CLEAR DROP CREATE LOAD COPY MOVE ADD'
).split(' ');

const FUNCTIONS = (
  'COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT STR LANG LANGMATCHES LANGDIR DATATYPE BOUND IRI BNODE RAND ABS CEIL FLOOR ROUND CONCAT ' +
  'STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ ' +
  'NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE IF STRLANG STRLANGDIR STRDT sameTerm isIRI isBLANK isLITERAL isNUMERIC ' +
  'REGEX SUBSTR REPLACE isTRIPLE TRIPLE SUBJECT PREDICATE OBJECT hasLANG hasLANGDIR'
).split(' ');

const WORDS: readonly Completion[] = [
  ...KEYWORDS.map((label) => ({ label, type: 'keyword' })),
  ...FUNCTIONS.map((label) => ({ label, type: 'function', apply: `${label}(` })),
];

/** Completion and closing brackets, for the editor. */
export const completionOf = (source: CompletionSource): Extension => [
  closeBrackets(),
  autocompletion({ override: [completer(source)], icons: false }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
];

function completer({ namespaces, terms }: CompletionSource) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const variable = context.matchBefore(/[?$]\w*$/);
    if (variable !== null)
      return { from: variable.from, options: variablesOf(context, variable.text), validFor: /^[?$]\w*$/ };
    const name = context.matchBefore(/[\p{L}\w-]*:[\p{L}\w.-]*$/u);
    if (name !== null) return names(name, namespaces(), terms);
    const word = context.matchBefore(/\w+$/);
    if (word === null && !context.explicit) return null;
    const prefixes = Object.entries(namespaces()).map(([prefix, iri]) => ({
      label: `${prefix}:`,
      detail: iri,
      type: 'namespace',
    }));
    return { from: word?.from ?? context.pos, options: [...WORDS, ...prefixes], validFor: /^\w*$/ };
  };
}

async function names(
  found: { readonly from: number; readonly text: string },
  namespaces: Readonly<Record<string, string>>,
  terms: CompletionSource['terms'],
): Promise<CompletionResult | null> {
  const [prefix = ''] = found.text.split(':', 1);
  const start = namespaces[prefix];
  if (start === undefined) return null;
  const known = await terms(start);
  const options = known
    .filter(({ iri }) => /^[\p{L}\p{N}_-]+$/u.test(iri.slice(start.length)))
    .map(({ iri, count }) => ({
      label: `${prefix}:${iri.slice(start.length)}`,
      detail: count.toLocaleString(),
      type: 'property',
      boost: Math.min(Math.log10(count + 1) * 5, 60),
    }));
  return { from: found.from, options, validFor: /^[\p{L}\w-]*:[\p{L}\w.-]*$/u };
}

function variablesOf(context: CompletionContext, typed: string): Completion[] {
  const names = new Set(context.state.doc.toString().match(/[?$]\w+/g) ?? []);
  names.delete(typed);
  return [...names].map((label) => ({ label, type: 'variable' }));
}
