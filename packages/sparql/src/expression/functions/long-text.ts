/**
 * Functions that take long for long texts: MD5, SHA1, SHA256, SHA384, SHA512, ENCODE_FOR_URI, UCASE. A text of more than one piece is
 * read in pieces, with turns of the event loop between them.
 */
import type { Expression } from '../../algebra/algebra.js';
import {
  foldNode,
  textsOf,
  type Compilation,
  type Evaluate,
  type ExpressionContext,
  type ExpressionNode,
  type TextCount,
  variableNode,
} from '../expression-node.js';
import { ERROR, StringValue, type Value } from '../values/value-types.js';
import { encodeForUri, encodedLength } from './encode-for-uri.js';
import { HASH_FUNCTIONS, HASH_LENGTHS, hashesLibrary } from './hash.js';
import { casedLength, isText, type Text, withText } from './string.js';

/** Characters of one piece: a millisecond or two of the slowest function. */
const PIECE_CHARACTERS = 64 * 1024;

/** The value of a text that is read piece by piece. */
interface TextWork {
  /** @throws EvaluationError `QUERY_MEMORY` */
  add(piece: string): void;
  result(): Value;
}

/** Begins the work; `undefined` where the argument gives an error. */
type Begin = (value: Value, texts: TextCount) => { readonly text: string; readonly work: TextWork } | undefined;

const form =
  (name: string, begin: Begin) =>
  ([argument]: readonly Expression[], compilation: Compilation): ExpressionNode => {
    const { context } = compilation;
    const node = compilation.compile(argument!);
    const texts = textsOf(context);
    compilation.waits = true;
    const evaluate: Evaluate = (row) => {
      const value = node.evaluate(row);
      const begun = begin(value, texts);
      if (begun === undefined) return ERROR;
      const { text, work } = begun;
      if (text.length > PIECE_CHARACTERS && context.calls !== undefined && context.pause !== undefined) {
        return context.calls.long(name, text, () => inPieces(text, work, context));
      }
      for (const piece of piecesOf(text)) work.add(piece);
      return work.result();
    };
    // Nothing waits while a query is compiled.
    return isLong(node.constant) ? variableNode(evaluate) : foldNode([node], evaluate);
  };

const isLong = (value: Value | undefined): boolean =>
  value !== undefined && isText(value) && value.value.length > PIECE_CHARACTERS;

async function inPieces(text: string, work: TextWork, context: ExpressionContext): Promise<Value> {
  for (const piece of piecesOf(text)) {
    const pause = context.pause!();
    if (pause !== undefined) await pause;
    work.add(piece);
  }
  return work.result();
}

/** Pieces that divide no pair of surrogates. */
function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end--;
    yield start === 0 && end === text.length ? text : text.slice(start, end);
    start = end;
  }
}

/** Of the UTF-8 bytes of a plain string, in lower-case hexadecimal. */
const hashForm = (name: (typeof HASH_FUNCTIONS)[number]) =>
  form(name, (value, texts) => {
    if (value.kind !== 'string') return undefined;
    texts.reserveText(HASH_LENGTHS[name]);
    const hash = hashesLibrary.get().begin(name);
    return {
      text: value.value,
      work: { add: (piece) => hash.add(piece), result: () => new StringValue(hash.result()) },
    };
  });

/** A function whose result is made of those of the pieces, each of which is counted before; `undefined` is an error of the whole. */
const mappedForm = (
  name: string,
  length: (piece: string) => number,
  change: (piece: string) => string | undefined,
  make: (like: Text, text: string) => Value,
) =>
  form(name, (value, texts) => {
    if (!isText(value)) return undefined;
    let result: string | undefined = '';
    let whole = 0;
    const add = (piece: string): void => {
      if (result === undefined) return;
      const more = length(piece);
      texts.reserveText(more, (whole += more));
      const changed = change(piece);
      result = changed === undefined ? undefined : result + changed;
    };
    return { text: value.value, work: { add, result: () => (result === undefined ? ERROR : make(value, result)) } };
  });

export const longTextForms: ReadonlyMap<
  string,
  (args: readonly Expression[], compilation: Compilation) => ExpressionNode
> = new Map([
  ...HASH_FUNCTIONS.map((name) => [name, hashForm(name)] as const),
  ['encode_for_uri', mappedForm('encode_for_uri', encodedLength, encodeForUri, (_, text) => new StringValue(text))],
  ['ucase', mappedForm('ucase', casedLength, (text) => text.toUpperCase(), withText)],
]);
