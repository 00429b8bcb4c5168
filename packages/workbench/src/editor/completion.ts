/** What can be written where the cursor is. */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  selectedCompletion,
  selectedCompletionIndex,
} from '@codemirror/autocomplete';
import { insertNewlineAndIndent } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { CompletionSource } from './completion-source.js';
import { hover } from './hover.js';
import { KEYWORDS } from './keyword-list.js';

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

/** Completion, closing brackets and what names stand for, for the editor. */
export const completionOf = (source: CompletionSource): Extension => [
  closeBrackets(),
  Prec.highest(
    keymap.of([
      { key: 'Enter', run: newline },
      { key: 'Tab', run: acceptCompletion },
    ]),
  ),
  autocompletion({ override: [completer(source)], icons: false }),
  hover(source),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
];

/** What is written out already needs no completion, and a variable may be a new one: Enter ends the line then. Tab completes. */
function newline(view: EditorView): boolean {
  const { state } = view;
  const chosen = selectedCompletion(state);
  if (chosen === null) return false;
  const at = state.selection.main.head;
  const typed = state.sliceDoc(Math.max(0, at - chosen.label.length), at);
  const isNew = chosen.type === 'variable' && selectedCompletionIndex(state) === 0;
  if (!isNew && typed.toLowerCase() !== chosen.label.toLowerCase()) return false;
  closeCompletion(view);
  return insertNewlineAndIndent(view);
}

/** Words of comments and texts are the user's own. */
const isProse = ({ state, pos }: CompletionContext): boolean =>
  /^(?:Comment|String)$/.test(syntaxTree(state).resolveInner(pos, -1).name);

/** Letters of a word before any word is proposed. */
const LEAST_WORD = 2;

function completer({ namespaces, terms }: CompletionSource) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (isProse(context)) return null;
    const variable = context.matchBefore(/[?$]\w*$/);
    if (variable !== null)
      return { from: variable.from, options: variablesOf(context, variable.text), validFor: /^[?$]\w*$/ };
    const name = context.matchBefore(/[\p{L}\w-]*:[\p{L}\w.-]*$/u);
    if (name !== null) return names(name, namespaces(), terms);
    const word = context.matchBefore(/\w+$/);
    if ((word?.text.length ?? 0) < LEAST_WORD && !context.explicit) return null;
    const prefixes = Object.entries(namespaces()).map(([prefix, iri]) => ({
      label: `${prefix}:`,
      detail: iri,
      type: 'namespace',
      apply: declaring(prefix, iri),
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

/** Writes a prefix, and declares it at the beginning of the text, so that the query says the same elsewhere. */
const declaring =
  (prefix: string, iri: string) =>
  (view: EditorView, _: Completion, from: number, to: number): void => {
    const text = view.state.doc.toString();
    const declared = new RegExp(`\\bPREFIX\\s+${prefix}:`, 'i').test(text);
    const head = declared ? '' : `PREFIX ${prefix}: <${iri}>\n`;
    const insert = `${prefix}:`;
    view.dispatch({
      changes: [
        { from: 0, insert: head },
        { from, to, insert },
      ],
      selection: { anchor: head.length + from + insert.length },
      userEvent: 'input.complete',
    });
  };
