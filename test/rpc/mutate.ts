/** Makes something else of a body: a few random changes of its bytes. */
import type { Chance } from '../sparql-random/chance.js';

/** What has a meaning in one of the protocols, so that a change gets further than the syntax. */
const TOKENS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '<',
  '>',
  '</',
  '/>',
  '&',
  ';',
  '\u0000',
  '\uFEFF',
  '\uFFFE',
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '{}',
  '[]',
  '""',
  '"__proto__":{"x":1},',
  '"constructor"',
  '\\ud800',
  '\\u0000',
  '__proto__',
  'toString',
  'system.multicall',
  'DescribeService',
  'CountStatements',
  'ListOperations',
  '<nil/>',
  '<struct>',
  '<array><data>',
  '<value>',
  '</value>',
  '<int>1</int>',
  '<i8>9223372036854775807</i8>',
  '<double>1e308</double>',
  '<base64>AAAA</base64>',
  '<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x?>',
  '<!DOCTYPE x>',
  '<!DOCTYPE x [<!ENTITY y "z">]>',
  '&#0;',
  '&#x10FFFF;',
  '&y;',
].map((token) => Buffer.from(token));

/** Values and members of JSON; names and texts of XML. What may take their place keeps the syntax. */
const JSON_WORD = /"(?:[^"\\]|\\.)*"(?: *:)?|(?<=[:,[] *)(?:-?\d[\w.+-]*|true|false|null)/g;
const XML_WORD = /[\w.:/-]+/g;
const JSON_WORDS = [
  '""',
  '{}',
  '[[]]',
  '{"id":1}',
  'null',
  'true',
  '-1.5e3',
  '"2.0"',
  '"DescribeService"',
  '"CountStatements"',
  '"__proto__"',
];
const XML_WORDS = [
  '1',
  'DescribeService',
  'CountStatements',
  'system.methodHelp',
  'toString',
  'string',
  'int',
  'i8',
  'double',
  'boolean',
  'base64',
  'dateTime.iso8601',
  'nil',
  'struct',
];

/** How many of the changes keep the syntax; what breaks it gets no further. */
const WORD_SHARE = 0.5;

type Mutation = (body: Buffer, chance: Chance, others: readonly Buffer[]) => Buffer;

const spliced = (body: Buffer, from: number, to: number, ...inserted: readonly Uint8Array[]): Buffer =>
  Buffer.concat([body.subarray(0, from), ...inserted, body.subarray(to)]);

/** A place, and one behind it that is mostly near. */
function range(body: Buffer, chance: Chance): [from: number, to: number] {
  const from = chance.below(body.length + 1);
  const most = chance.in(0.2) ? body.length : 16;
  return [from, Math.min(body.length, from + 1 + chance.below(most + 1))];
}

/** One word of JSON, or all of the same text in XML, become another of their kind. */
function replaceWord(body: Buffer, chance: Chance): Buffer {
  const text = body.toString('latin1');
  const isXml = text.startsWith('<');
  const words = [...text.matchAll(isXml ? XML_WORD : JSON_WORD)];
  if (words.length === 0) return body;
  const { 0: word, index } = chance.among(words);
  if (isXml) return Buffer.from(text.replaceAll(word, chance.among(XML_WORDS)), 'latin1');
  const isName = word.endsWith(':');
  const alike = words.map(([each]) => each).filter((each) => each.endsWith(':') === isName);
  const other = isName || chance.in(0.5) ? chance.among(alike) : chance.among(JSON_WORDS);
  return Buffer.from(text.slice(0, index) + other + text.slice(index + word.length), 'latin1');
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(body, chance) {
    const changed = Buffer.from(body);
    const at = chance.below(changed.length);
    if (changed.length > 0) changed[at] = changed[at]! ^ (1 << chance.below(8));
    return changed;
  },
  function insertByte(body, chance) {
    const at = chance.below(body.length + 1);
    return spliced(body, at, at, Buffer.of(chance.below(256)));
  },
  function insertToken(body, chance) {
    const at = chance.below(body.length + 1);
    return spliced(body, at, at, chance.among(TOKENS));
  },
  (body, chance) => spliced(body, ...range(body, chance), chance.among(TOKENS)),
  (body, chance) => spliced(body, ...range(body, chance)),
  function repeat(body, chance) {
    const [from, to] = range(body, chance);
    const times = chance.in(0.1) ? chance.below(200) : 1 + chance.below(3);
    return spliced(body, from, from, ...Array.from({ length: times }, () => body.subarray(from, to)));
  },
  function move(body, chance) {
    const [from, to] = range(body, chance);
    const rest = spliced(body, from, to);
    const at = chance.below(rest.length + 1);
    return spliced(rest, at, at, body.subarray(from, to));
  },
  function cross(body, chance, others) {
    const other = chance.among(others);
    const [from, to] = range(other, chance);
    return spliced(body, ...range(body, chance), other.subarray(from, to));
  },
];

/** One to four changes; `others` are bodies that parts may come from. */
export function mutate(body: Buffer, chance: Chance, others: readonly Buffer[]): Buffer {
  const count = chance.in(0.6) ? 1 : 2 + chance.below(3);
  let changed = body;
  for (let i = 0; i < count; i++) {
    const mutation = chance.in(WORD_SHARE) ? replaceWord : chance.among(MUTATIONS);
    changed = mutation(changed, chance, others);
  }
  return changed;
}
