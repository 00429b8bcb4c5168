/**
 * Random operations on a repository and the naive model of what they do: a state is the set of its N-Quads lines.
 * Plain JavaScript, so that the tests and the process that gets killed (test/crash) share it.
 */
import { createLineParser, parseTerm } from '@quadrille/formats';
import { dataFactory, termToText } from '@quadrille/model';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const typed = (value, type) => `"${value}"^^<${XSD}${type}>`;

/** Few terms, so that the same quads come again and again; among them the edges of what ids hold themselves. */
const OBJECTS = [
  '<a:s0>',
  '<a:s1>',
  '_:n1',
  '"plain"',
  '""',
  '"tab\\t \\"quoted\\" \\\\ line\\n"',
  '"grüße 🌍"',
  '"chat"@en',
  '"chat"@fr-ca',
  '"chat"@ar--rtl',
  '"chat"@ar--ltr',
  ...['1', '01', '-1', '0', '-0', '536870911', '536870912', '-536870912', '-536870913'].map((v) => typed(v, 'integer')),
  ...['1.0', '1.00', '1', '13421.7727', '13421.7728', '-13421.7727', '-0.0'].map((v) => typed(v, 'decimal')),
  ...['2024-02-29', '2023-02-29', '0000-01-01', '9999-12-31', '-0001-01-01'].map((v) => typed(v, 'date')),
  ...['true', 'false', '1'].map((v) => typed(v, 'boolean')),
  typed('1.5E0', 'double'),
  '"1"^^<a:own>',
  `<<( <a:s0> <a:p0> ${typed('1', 'integer')} )>>`,
  '<<( _:n1 <a:p1> "plain" )>>',
  '<<( <a:s1> <a:p0> <<( <a:s0> <a:p0> "chat"@en )>> )>>',
];
const LONG_OBJECTS = [
  `"${'long '.repeat(900)}"`,
  `"${'x'.repeat(4094)}"`,
  `"${'y'.repeat(4095)}"`,
  `"${'ünï'.repeat(14_000)}"@en`,
];

export const pick = (random, list) => list[Math.floor(random() * list.length)];
export const below = (random, limit) => Math.floor(random() * limit);

/** The terms of one sequence of operations. */
export function vocabulary(random, { long = false } = {}) {
  const objects = Array.from({ length: 6 + below(random, 10) }, () => pick(random, OBJECTS));
  if (long) objects.push(pick(random, LONG_OBJECTS), pick(random, LONG_OBJECTS));
  const graphs = ['', '', '<a:g0>', '<a:g1>', '_:n1'].slice(0, 2 + below(random, 4));
  return {
    subjects: ['<a:s0>', '<a:s1>', '<a:s2>', '_:n1', '_:n2', '<a:s3>'],
    predicates: ['<a:p0>', '<a:p1>', '<a:p2>'],
    objects,
    graphs,
  };
}

export function randomQuad(random, words) {
  // Now and then something that was never there.
  const object = random() < 0.04 ? `"new ${below(random, 1e9)}"` : pick(random, words.objects);
  return lineOf(pick(random, words.subjects), pick(random, words.predicates), object, pick(random, words.graphs));
}

export function lineOf(s, p, o, g) {
  return g === '' ? `${s} ${p} ${o} .` : `${s} ${p} ${o} ${g} .`;
}

export const randomQuads = (random, words, most) =>
  Array.from({ length: 1 + below(random, most) }, () => randomQuad(random, words));

/** Texts by position; absent: anything, `''` the default graph. */
export function randomPattern(random, words, mask = below(random, 16)) {
  return {
    ...(mask & 1 ? { s: pick(random, words.subjects) } : {}),
    ...(mask & 2 ? { p: pick(random, words.predicates) } : {}),
    ...(mask & 4 ? { o: pick(random, words.objects) } : {}),
    ...(mask & 8 ? { g: pick(random, words.graphs) } : {}),
  };
}

/** Some of what a state holds, to be removed: random quads alone would nearly always miss. */
export function someOf(random, state, most) {
  const lines = [...state];
  return lines.length === 0 ? [] : Array.from({ length: 1 + below(random, most) }, () => pick(random, lines));
}

/** An operation that may make a revision. `most`: quads of a large one. */
export function randomOperation(random, words, states, most = 40) {
  const chance = random();
  const head = states.length - 1;
  if (chance < 0.3) return { kind: 'change', added: randomQuads(random, words, 4), removed: [] };
  if (chance < 0.42)
    return { kind: 'change', added: [], removed: [...someOf(random, states[head], 4), randomQuad(random, words)] };
  if (chance < 0.55) {
    const removed = [...someOf(random, states[head], 5), randomQuad(random, words)];
    return { kind: 'change', added: randomQuads(random, words, random() < 0.2 ? most : 5), removed };
  }
  if (chance < 0.63) return { kind: 'removeMatches', pattern: randomPattern(random, words) };
  if (chance < 0.88) {
    const graph = random() < 0.3 ? pick(random, words.graphs) : undefined;
    return {
      kind: 'load',
      lines: randomQuads(random, words, most),
      replace: random() < 0.45,
      ...(graph === undefined ? {} : { graph }),
    };
  }
  return { kind: 'revert', number: 1 + below(random, head) };
}

// ── The model ──────────────────────────────────────────────────────────────────────────────────────────────────────
const parsedLines = new Map();

/** The quad of a line, with the texts of its terms. */
export function quadOf(line) {
  let quad = parsedLines.get(line);
  if (quad === undefined) {
    const texts = splitLine(line);
    const [s, p, o, g] = texts.map(termOf);
    quad = { line, texts, quad: dataFactory.quad(s, p, o, g) };
    if (parsedLines.size > 20_000) parsedLines.clear();
    parsedLines.set(line, quad);
  }
  return quad;
}

const TERM = /<<\(|\)>>|<[^<>"\s]*>|_:[^\s]+|"(?:[^"\\]|\\.)*"(?:@[a-z-]+|\^\^<[^>]*>)?/g;

function splitLine(line) {
  const terms = [];
  let depth = 0;
  let start = 0;
  for (const match of line.matchAll(TERM)) {
    if (depth === 0) start = match.index;
    if (match[0] === '<<(') depth++;
    else if (match[0] === ')>>') depth--;
    if (depth === 0) terms.push(line.slice(start, match.index + match[0].length));
  }
  if (terms.length < 3 || terms.length > 4) throw new Error(`not a quad: ${line.slice(0, 200)}`);
  if (terms.length === 3) terms.push('');
  return terms;
}

const parsedTerms = new Map();

export function termOf(text) {
  if (text === '') return dataFactory.defaultGraph();
  let term = parsedTerms.get(text);
  if (term === undefined) {
    const nested = text.startsWith('<<(') ? quadOf(`${text.slice(3, -3).trim()} .`).quad : undefined;
    term = nested ?? parseTerm(text);
    if (parsedTerms.size > 20_000) parsedTerms.clear();
    parsedTerms.set(text, term);
  }
  return term;
}

export function matches(pattern, line) {
  const [s, p, o, g] = quadOf(line).texts;
  return (
    (pattern.s === undefined || pattern.s === s) &&
    (pattern.p === undefined || pattern.p === p) &&
    (pattern.o === undefined || pattern.o === o) &&
    (pattern.g === undefined || pattern.g === g)
  );
}

export const matching = (pattern, state) => [...state].filter((line) => matches(pattern, line));

/** What a load with this blank node prefix makes of its lines. */
export function loadedLines(operation, prefix) {
  const labels = new Map();
  return operation.lines.map((line) => {
    const [s, p, o, g] = quadOf(line).texts;
    const fresh = [s, p, o, g].map((text) =>
      text.replace(/_:\S+/g, (label) => {
        if (!labels.has(label)) labels.set(label, `_:${prefix}${labels.size}`);
        return labels.get(label);
      }),
    );
    return lineOf(fresh[0], fresh[1], fresh[2], operation.graph ?? fresh[3]);
  });
}

/** The state after an operation; `states[n]` is that of revision n. The same object where nothing changes. */
export function applied(states, operation, prefix = 'l') {
  const present = states.at(-1);
  const next = new Set(present);
  if (operation.kind === 'change') change(next, operation.added, operation.removed);
  else if (operation.kind === 'removeMatches')
    for (const line of matching(operation.pattern, present)) next.delete(line);
  else if (operation.kind === 'load') {
    if (operation.replace)
      for (const line of present)
        if (operation.graph === undefined || matches({ g: operation.graph }, line)) next.delete(line);
    for (const line of loadedLines(operation, prefix)) next.add(line);
  } else if (operation.kind === 'revert') {
    const [before, after] = [states[operation.number - 1] ?? new Set(), states[operation.number]];
    change(next, difference(before, after), difference(after, before));
  }
  return sameSet(next, present) ? present : next;
}

function change(state, added, removed) {
  for (const line of removed) state.delete(line);
  for (const line of added) state.add(line);
}

/** What is in `x` and not in `y`. */
export const difference = (x, y) => [...x].filter((line) => !y.has(line));
export const sameSet = (x, y) => x.size === y.size && difference(x, y).length === 0;

// ── The repository ─────────────────────────────────────────────────────────────────────────────────────────────────
const utf8 = new TextEncoder();

/** Does an operation. Loads get their blank nodes from `prefix`, so that the model can tell them. */
export async function perform(repository, operation, info = {}, prefix = 'l') {
  switch (operation.kind) {
    case 'change':
      return repository.commit(
        operation.added.map((line) => quadOf(line).quad),
        operation.removed.map((line) => quadOf(line).quad),
        info,
      );
    case 'removeMatches':
      return repository.removeMatches(termsOf(operation.pattern), info);
    case 'load':
      return load(repository, operation, info, prefix);
    case 'revert':
      return repository.revert(operation.number, info);
    case 'compact':
      return repository.maintenance.compact().then(() => repository.revision);
    case 'rebuild':
      return repository.maintenance.rebuild().then(() => repository.revision);
    default:
      throw new Error(`unknown operation ${operation.kind}`);
  }
}

export function termsOf({ s, p, o, g }) {
  const term = (text) => (text === undefined ? undefined : termOf(text));
  return { subject: term(s), predicate: term(p), object: term(o), graph: term(g) };
}

async function load(repository, operation, info, prefix) {
  repository.freshBlankPrefix = () => prefix;
  const graph = operation.graph === undefined ? {} : { graph: termOf(operation.graph) };
  const loader = await repository.beginLoad({ replace: operation.replace, ...graph });
  try {
    const parser = createLineParser({ sink: loader, quads: true });
    for (let at = 0; at < operation.lines.length; at += 3) {
      parser.push(utf8.encode(`${operation.lines.slice(at, at + 3).join('\n')}\n`));
      if (loader.full) await loader.writeChunk();
      if (loader.due) await loader.pause();
    }
    if (operation.broken) parser.push(utf8.encode('<a:s0> <a:p0> not RDF .\n'));
    parser.end();
    return await repository.finishLoad(loader, info);
  } finally {
    await loader.close();
  }
}

const ANY = { s: 0, p: 0, o: 0, g: 0 };

/** Every line that a snapshot (or staged transaction) reads; twice the same quad is an error. */
export async function readLines(reader) {
  const lines = new Set();
  let rows = 0;
  if (reader === undefined) return lines;
  try {
    for (;;) {
      const quads = await reader.next();
      if (quads === undefined) break;
      for (const { subject, predicate, object, graph } of quads) {
        rows++;
        lines.add(lineOf(termToText(subject), termToText(predicate), termToText(object), termToText(graph)));
      }
    }
  } finally {
    reader.close();
  }
  if (rows !== lines.size) throw new Error(`${rows} rows were read, ${lines.size} of them distinct`);
  return lines;
}

/** The lines of a snapshot. Those that it gives without waiting have to be the same. */
export async function readState(snapshot, pattern = ANY) {
  const lines = await readLines(snapshot.read(pattern));
  checkAtOnce(snapshot, pattern, lines);
  return lines;
}

const MISS = -1;
/** Quads of a step, so that windows are read in several. */
const STEP = 100;

function checkAtOnce(snapshot, pattern, lines) {
  const has = snapshot.tryHas(pattern);
  if (has !== MISS && has !== lines.size > 0) throw new Error(`without waiting: ${has} of ${lines.size} quads`);
  const reader = snapshot.read(pattern);
  try {
    let rows = 0;
    for (let quads = reader.tryNext(STEP); quads !== undefined; quads = reader.tryNext(STEP)) {
      if (quads === MISS) return;
      if (quads.length > STEP) throw new Error(`without waiting: ${quads.length} quads, not ${STEP}`);
      rows += quads.length;
      for (const { subject, predicate, object, graph } of quads) {
        const line = lineOf(termToText(subject), termToText(predicate), termToText(object), termToText(graph));
        if (!lines.has(line)) throw new Error(`without waiting: ${line}, which is not there`);
      }
    }
    if (rows !== lines.size) throw new Error(`without waiting: ${rows} quads, not ${lines.size}`);
  } finally {
    reader.close();
  }
}

/** The state of a revision. */
export async function stateAt(repository, ref) {
  const snapshot = await repository.snapshotAt(ref);
  try {
    return await readState(snapshot);
  } finally {
    snapshot.close();
  }
}

/** How two states differ, for a message; `undefined` where they are the same. */
export function differenceText(actual, expected) {
  const list = (lines) =>
    lines
      .slice(0, 5)
      .map((line) => line.slice(0, 160))
      .join('\n    ');
  const [extra, missing] = [difference(actual, expected), difference(expected, actual)];
  if (extra.length + missing.length === 0) return undefined;
  return `${extra.length} quads too many:\n    ${list(extra)}\n  ${missing.length} quads missing:\n    ${list(missing)}`;
}
