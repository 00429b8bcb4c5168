/** Many random queries on one data set, each against Oxigraph and, a share of them, against other plans. */
import { Engine } from '@quadrille/sparql';
import { createComunicaEngine } from '../comunica/index.js';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { type Answer, answerOf, printAnswer } from './answers.js';
import { COMUNICA_MS, countRows, isTooLarge, missing, withoutOrder, withoutSlice } from './check-query.js';
import { hasNewBlanks, modesOf, sameAnswer } from './compare.js';
import { printData, type QuadText, toQuads } from './data.js';
import { knownDifference } from './known.js';
import { knownOxigraph, knownOxigraphRefusal, plain } from './known-oxigraph.js';
import type { Oxigraph, Request } from './oxigraph.js';
import type { Query } from './syntax.js';
import { writeQuery } from './write.js';

const engine = new Engine();
const MAX_ROWS = 400;
/** The same where new blank nodes have to be paired. */
const MAX_WITH_BLANKS = 60;
const TIMEOUT_MS = 1000;

export interface Compared {
  /** The first that is wrong, with its query and the data. */
  readonly failure?: string;
  /** Queries that Oxigraph was not asked, or had no answer for, by the reason. */
  readonly left: ReadonlyMap<string, number>;
  /** Queries with an answer that is not empty. */
  readonly withRows: number;
}

/** @param variants whether a query is evaluated by other plans, too */
export async function compareWithOxigraph(
  oxigraph: Oxigraph,
  data: readonly QuadText[],
  given: readonly Query[],
  variants: (index: number) => boolean,
): Promise<Compared> {
  const left = new Map<string, number>();
  let withRows = 0;
  const leave = (why: string): void => void left.set(why, (left.get(why) ?? 0) + 1);
  const asked: { query: Query; request: Request; answer: Answer }[] = [];
  const dataset = new ArrayDataset(toQuads(data), { batchQuads: 64 });
  const failed = (text: string, what: string): Compared => ({
    failure: `${what}\n${text}\n${printData(data)}`,
    left,
    withRows,
  });
  for (const [index, one] of given.entries()) {
    const query = withoutSlice(plain(one));
    const text = writeQuery(query);
    const answer = await answerOf(engine, text, dataset, { maxRows: MAX_ROWS, timeoutMs: TIMEOUT_MS });
    if (dataset.openScans !== 0) return failed(text, `${dataset.openScans} scans were left open`);
    if (isTooLarge(answer) || (countRows(answer) > MAX_WITH_BLANKS && hasNewBlanks(answer))) {
      leave('large result');
      continue;
    }
    if (answer.type === 'error') return failed(text, `${answer.code}: ${answer.message}`);
    if (countRows(answer) > 0) withRows++;
    const other = variants(index) ? await otherPlan(query, text, answer, data, index) : undefined;
    if (other !== undefined) return failed(text, other);
    const known = knownOxigraph(query, data);
    if (known === undefined) asked.push({ query, request: { form: query.form, text }, answer });
    else leave(known);
  }
  const answers = await oxigraph.ask(
    data,
    asked.map(({ request }) => request),
  );
  for (const [index, { query, request, answer }] of asked.entries()) {
    const other = answers[index];
    if (other === undefined) leave('too slow for Oxigraph');
    else if (other.type === 'error' && knownOxigraphRefusal(other.message) !== undefined)
      leave(knownOxigraphRefusal(other.message)!);
    else if (!sameAnswer(answer, other, { modes: modesOf(query), byValue: true })) {
      if (await isAlone(query, data, other)) leave('Oxigraph alone differs');
      else return failed(request.text, `engine: ${printAnswer(answer)}\nOxigraph, and Comunica: ${printAnswer(other)}`);
    }
  }
  return { left, withRows };
}

/** Whether Comunica does not have the answer of Oxigraph, or cannot be asked: then two of three do not agree against us. */
async function isAlone(query: Query, data: readonly QuadText[], oxigraph: Answer): Promise<boolean> {
  if (knownDifference(query, data) !== undefined) return true;
  const comunica = await createComunicaEngine();
  const dataset = new ArrayDataset(toQuads(data), { batchQuads: 64 });
  const answer = await answerOf(comunica, writeQuery(withoutOrder(query)), dataset, { timeoutMs: COMUNICA_MS });
  return answer.type === 'error' || !sameAnswer(answer, oxigraph, { modes: modesOf(query), byValue: true });
}

async function otherPlan(
  query: Query,
  text: string,
  answer: Answer,
  data: readonly QuadText[],
  index: number,
): Promise<string | undefined> {
  const fetching = index % 2 === 0;
  const quads = toQuads(data);
  const dataset = fetching ? missing(quads) : new ArrayDataset(quads, { batchQuads: 64 });
  const options = { unoptimised: !fetching, timeoutMs: TIMEOUT_MS, maxRows: 100 * MAX_ROWS };
  const other = await answerOf(engine, text, dataset, options);
  if (dataset.openScans !== 0) return `${dataset.openScans} scans were left open`;
  if (isTooLarge(other) || sameAnswer(answer, other, { modes: modesOf(query), byValue: true })) return undefined;
  return `${fetching ? 'fetching' : 'unoptimised'}: ${printAnswer(other)}\nengine: ${printAnswer(answer)}`;
}
