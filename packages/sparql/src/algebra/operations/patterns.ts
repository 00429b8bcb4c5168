/** What has no inputs: patterns, rows, and nothing. */
import { patternVariables, termVariables, type Path } from '../algebra.js';
import { NO_NAMES } from '../name-sets.js';
import { namesOf, type Family } from './record.js';

const endsOf = ({ subject, object, graph }: Path): Set<string> =>
  new Set([subject, object, graph].flatMap(termVariables));

export const PATTERNS: Family<'bgp' | 'path' | 'values' | 'nop' | 'seed'> = {
  bgp: {
    called: 'a triple pattern',
    from: 'none',
    visible: ({ patterns }) => new Set(patternVariables(patterns)),
    certain: ({ patterns }) => new Set(patternVariables(patterns).filter((name) => !name.startsWith('_:'))),
    text: ({ patterns }, writer) => patterns.map((pattern) => writer.pattern(pattern)).join(' '),
    isElement: true,
  },
  path: {
    called: 'a property path',
    from: 'none',
    visible: endsOf,
    certain: endsOf,
    text: (path, writer) => writer.path(path),
    isElement: true,
  },
  values: {
    called: 'VALUES',
    from: 'none',
    visible: ({ variables }) => new Set(namesOf(variables)),
    certain: ({ variables, bindings }) =>
      new Set(namesOf(variables).filter((name) => bindings.every((row) => row[name] !== undefined))),
    text({ variables, bindings }, writer) {
      const names = namesOf(variables);
      const rows = bindings.map((row) => {
        const cells = names.map((name) => (Object.hasOwn(row, name) ? writer.term(row[name]!) : 'UNDEF'));
        return `(${cells.join(' ')})`;
      });
      return `VALUES (${names.map((name) => `?${name}`).join(' ')}) { ${rows.join(' ')} }`;
    },
    isElement: true,
  },
  nop: {
    called: 'an empty group',
    from: 'none',
    visible: () => NO_NAMES,
    certain: () => NO_NAMES,
    text: () => '',
    isElement: true,
  },
  seed: {
    called: 'rows of a plan',
    from: 'none',
    visible: ({ variables }) => new Set(variables),
    certain: ({ certain }) => certain,
  },
};
