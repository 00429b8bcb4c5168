/** Queries that together use every kind of operator that keeps something, over subjects with numbers. */

/** Subjects that each know the next one, with so many numbers in all. */
export const subjectsWithNumbers = (numbers: number, subjects: number): string =>
  Array.from({ length: numbers }, (_, i) => `ex:s${i % subjects} ex:p ${i} ; ex:q ex:s${(i + 1) % subjects}`).join(
    ' . ',
  );

/** Each number with each. */
export const CROSS = '?a ex:p ?x . ?b ex:p ?y';
export const QUERIES_OF_ALL_KINDS: readonly string[] = [
  `SELECT DISTINCT ?x ?y { ${CROSS} }`,
  `SELECT ?v { ${CROSS} BIND(CONCAT(STR(?x), STR(?y), STR(?a)) AS ?v) }`,
  `SELECT ?x ?y { ${CROSS} } ORDER BY CONCAT(STR(?x), STR(?y))`,
  `SELECT ?x ?y { ${CROSS} } ORDER BY ?y DESC(?x) LIMIT 10`,
  `SELECT ?x (GROUP_CONCAT(STR(?y)) AS ?t) (MIN(STR(?y)) AS ?m) (SAMPLE(CONCAT(STR(?a), "x")) AS ?s) { ${CROSS} } GROUP BY ?x`,
  `SELECT ?v (COUNT(DISTINCT ?y) AS ?n) (SUM(?y / 7) AS ?t) { ${CROSS} } GROUP BY (STR(?x) AS ?v)`,
  'SELECT (COUNT(*) AS ?n) { ?a ex:q* ?b . ?b ex:q+ ?c }',
  `SELECT (COUNT(*) AS ?n) { { SELECT ?a ?x { ?a ex:p ?x } } { SELECT ?a (STR(?y) AS ?z) { ?a ex:p ?y } } }`,
  `SELECT * { ?a ex:p ?x OPTIONAL { ?b ex:p ?y . ?b ex:q ?a FILTER(?x < ?y) } FILTER NOT EXISTS { ?a ex:q ?c . ?c ex:p 7 } }`,
  `SELECT (COUNT(*) AS ?n) { ${CROSS} MINUS { ?a ex:p ?x . ?b ex:q ?a FILTER(?x > 100) } }`,
  `CONSTRUCT { [] ex:v ?v ; ex:x ?x } { ${CROSS} BIND(UUID() AS ?v) FILTER(?y < 20) }`,
  `SELECT ?x { ?a ex:p ?x FILTER(REGEX(REPLACE(STR(?x), "1", "$0$0"), "^1+$")) }`,
  'DESCRIBE ?a { ?a ex:p ?x }',
  'ASK { ?a ex:p ?x FILTER(CONCAT(STR(?x), "!") = "299!") }',
];
