/** Quads whose objects pass conditions, as far as an index of words tells. */
import type * as RDF from '@rdfjs/types';
import type { TestedStrings } from '../../dataset/id-dataset.js';
import type { WordsPlan } from '../../plan/plan.js';
import { mayBeAnyTerm, type WordCondition, wordTestsOf } from '../../plan/word-tests.js';
import { Later } from '../../execute/core/later.js';
import type { Execution, Operator } from '../../execute/core/operator.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { ColumnFilter } from '../filter/column-filter.js';
import { SeekJoin } from '../seek/seek-join.js';
import { Rows } from '../values/values.js';

/** The bits of the ids that pass. */
function bitsOf({ ids, wordless }: TestedStrings): Uint32Array {
  const bits = wordless ?? new Uint32Array((ids.length === 0 ? 0 : ids.at(-1)! >>> 5) + 1);
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  return bits;
}

async function openWords(
  { conditions, object, scan, seek, mostSought }: WordsPlan,
  execution: Execution,
  openScan: () => Operator,
): Promise<Operator> {
  const { dataset, control } = execution;
  const tests = wordTestsOf(conditions, (term) => execution.resolve(term));
  if (tests.length === 0 || dataset.literalsWith === undefined) return openScan();
  const ofAnyTerm = mayBeAnyTerm(conditions);
  const found = await dataset.literalsWith(tests, control, ofAnyTerm);
  if (found === undefined) return openScan();
  const { ids } = found;
  if (seek !== undefined && ids.length <= mostSought)
    return new SeekJoin(seek, new Rows({ columns: [ids], length: ids.length }), execution);
  const passing = bitsOf(found);
  const known = passing.length * 32;
  const passes = (id: number): boolean => (id < known ? ((passing[id >>> 5]! >>> (id & 31)) & 1) === 1 : ofAnyTerm);
  return new ColumnFilter(openScan(), scan.variables.indexOf(object), passes, execution, passing.byteLength);
}

export const words: PlanOperator<WordsPlan> = {
  detail: ({ conditions, scan }, print) => {
    const text = ({ says, term }: WordCondition): string =>
      `${says} ${print.expression({ type: 'expression', subType: 'term', term: term as RDF.Literal })}`;
    return `${print.pattern(scan.pattern)}, index of words: ${conditions.map(text).join(', ')}`;
  },
  open: (plan, { execution, open }) =>
    new Later(() => openWords(plan, execution, () => open(plan.scan)), execution.control),
};
