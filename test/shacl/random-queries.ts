/** Random queries for shapes in SPARQL, over the names of the random data. */

type Pick = <T>(items: readonly T[]) => T;

const NAMES = ['?a', '?b', '?v'];
const EX = 'http://example.org/';
const predicate = (pick: Pick): string => `<${EX}${pick(['p0', 'p1', 'p2', 'p3'])}>`;
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

function path(pick: Pick): string {
  const [one, other] = [predicate(pick), predicate(pick)];
  return pick([
    one,
    one,
    one,
    one,
    `^${one}`,
    `${one}/${other}`,
    `${one}|${other}`,
    `${one}*`,
    `(${one}/^${other})+`,
    `${one}?`,
    `!${one}`,
  ]);
}

const node = (pick: Pick): string => pick(['$this', '$this', '$this', ...NAMES, `<${EX}${pick(['n0', 'n1', 'n2'])}>`]);
const object = (pick: Pick): string => pick([...NAMES, ...NAMES, node(pick), '1', '"a"', `<${EX}C0>`]);

const triple = (pick: Pick): string =>
  `${node(pick)} ${pick([path(pick), path(pick), path(pick), path(pick), TYPE, '?p'])} ${object(pick)} .`;

const test = (pick: Pick): string => {
  const [left, right] = [pick(NAMES), pick([...NAMES, '$this'])];
  return pick([
    `${left} > 2`,
    `bound(${left})`,
    `!bound(${left})`,
    `${left} != ${right}`,
    `isIRI(${right})`,
    `${left} = ${right}`,
  ]);
};

/** What stands between braces. */
function group(pick: Pick, depth: number): string {
  const triples = pick([1, 1, 2, 3]);
  const parts = Array.from({ length: triples }, () => triple(pick));
  const inner = (): string => `{ ${group(pick, depth + 1)} }`;
  const more = depth >= 2 ? 0 : pick([0, 0, 1, 1, 2]);
  for (let i = 0; i < more; i++) {
    parts.push(
      pick([
        () => `OPTIONAL ${inner()}`,
        () => `FILTER NOT EXISTS ${inner()}`,
        () => `FILTER EXISTS ${inner()}`,
        () => `${inner()} UNION ${inner()}`,
        () => inner(),
        () => `FILTER (${test(pick)})`,
        () => `FILTER (${test(pick)} || EXISTS ${inner()})`,
        () => `BIND ($this AS ?t${String(depth)}) ?t${String(depth)} ${predicate(pick)} ${pick(NAMES)} .`,
        () => `{ SELECT $this ${pick(NAMES)} ${inner()} }`,
        () => `{ SELECT $this ${inner()} LIMIT 1 }`,
        () =>
          `{ SELECT $this (COUNT(DISTINCT ?v) AS ?n${String(depth)}) ${inner()} GROUP BY $this } FILTER (?n${String(depth)} > 1)`,
      ])(),
    );
  }
  return parts.toSorted(() => pick([-1, 1])).join(' ');
}

/** A query for a constraint: some of them hold for most nodes, so half of them ask for something rare. */
export function randomSelect(pick: Pick): string {
  const columns = pick(['$this', '$this ?a', '$this ?value']);
  const value = columns.includes('value') ? ` $this ${predicate(pick)} ?value .` : '';
  const rare = pick([
    '',
    ` FILTER EXISTS { $this ${predicate(pick)} ?rare FILTER (?rare = ${pick(['1', '2', '"a"'])}) }`,
  ]);
  return `SELECT ${columns} { ${group(pick, 0)}${value}${rare} }`;
}

/** A query for the value nodes that are right. */
export const randomAsk = (pick: Pick): string =>
  `ASK { ${pick(['', `$value ${path(pick)} ?x .`, 'FILTER (isIRI($value))', `FILTER NOT EXISTS { $this ${predicate(pick)} $value }`])} ${pick(['', `FILTER ($value != $limit)`])} }`;

/** A query for focus nodes. */
export const randomTarget = (pick: Pick): string =>
  `SELECT ?this { ?this ${predicate(pick)} ?a . ${pick(['', triple(pick), `OPTIONAL { ${triple(pick)} }`, 'FILTER (isIRI(?this))'])} }`;
