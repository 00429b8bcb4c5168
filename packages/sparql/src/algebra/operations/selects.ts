/** The clauses of a SELECT around its pattern. They are written together, as a sub-select. */
import { hasRowAlways } from '../algebra.js';
import { intersectionOf, isSubset } from '../name-sets.js';
import { namesOf, type Family } from './record.js';

export const SELECTS: Family<'project' | 'group' | 'distinct' | 'reduced' | 'orderby' | 'slice'> = {
  project: {
    called: 'a sub-select',
    from: 'first',
    visible: ({ variables }) => new Set(namesOf(variables)),
    certain: ({ variables }, inputs) => intersectionOf([new Set(namesOf(variables)), ...inputs]),
    withColumn: (node, column) => ({ ...node, variables: [...node.variables, column] }),
    passes({ variables }) {
      const columns = new Set(namesOf(variables));
      return (names) => isSubset(names, columns);
    },
  },
  group: {
    called: 'GROUP BY or an aggregate',
    from: 'first',
    visible: ({ variables, aggregates }) =>
      new Set(namesOf([...variables, ...aggregates.map(({ variable }) => variable)])),
    certain({ variables, aggregates }, [inner]) {
      const counts = aggregates.filter(({ aggregator }) => aggregator === 'count').map(({ variable }) => variable);
      return new Set([...namesOf(variables).filter((name) => inner!.has(name)), ...namesOf(counts)]);
    },
    withColumn(node, column) {
      const group = { ...node, variables: [...node.variables, column] };
      return node.variables.length === 0 ? { ...group, ofEachGraph: true } : group;
    },
    passes(node) {
      const keys = new Set(namesOf(node.variables));
      return (names) => isSubset(names, keys) && !hasRowAlways(node);
    },
  },
  distinct: { called: 'DISTINCT', from: 'first' },
  reduced: { called: 'REDUCED', from: 'first' },
  orderby: { called: 'ORDER BY', from: 'first' },
  slice: {
    called: 'LIMIT or OFFSET',
    from: 'first',
    withColumn: (node, column) => ({ ...node, of: column }),
    passes: () => undefined,
  },
};
