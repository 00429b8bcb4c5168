import { expect, test } from 'vitest';
import { ParseError } from '@quadrille/model';
import { parseSparql } from '../parse.js';

function failure(text: string): ParseError {
  try {
    parseSparql(text, { prefixes: { foaf: 'http://xmlns.com/foaf/0.1/' } });
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

test.each([
  ['SELECT * {\n  ?s ?p ?o', 2, 11, "the request ends too early: the '{' of line 1, column 10 is still open"],
  ['SELECT * { ?s ?p ', 1, 17, "the request ends too early: the '{' of line 1, column 10 is still open"],
  ['SELECT * { ?s ?p [ ?a ?b }', 1, 26, "unexpected '}': the '[' of line 1, column 18 is still open"],
  ['SELECT * { FILTER(?x > 1 }', 1, 26, "unexpected '}': the '(' of line 1, column 18 is still open"],
  ['SELECT * { ?s ?p ?o FILTER REGEX(?o, "a" }', 1, 42, "unexpected '}': the '(' of line 1, column 33 is still open"],
  ['INSERT DATA { <a:b> <a:b> 1 ', 1, 28, "the request ends too early: the '{' of line 1, column 13 is still open"],
  ['SELECT * { ?s ?p ?o } }', 1, 23, "unexpected '}': nothing is open that it could close"],
  ['SELECT * { ?s ?p ?o ?a ?b ?c }', 1, 21, "a '.' is missing before '?a'"],
  ['SELECT * { ?s ?p ?o\r\n ?s2 ?p2 ?o2 . }', 2, 2, "a '.' is missing before '?s2'"],
  ['SELECT * { ?s a "x"@en ?b ?c ?d }', 1, 24, "a '.' is missing before '?b'"],
  ['SELECT * { ?s ?p ?o ; ?q ?r ?x ?y ?z }', 1, 29, "a '.' is missing before '?x'"],
  ['SELECT * { ?s ?p }', 1, 18, "a triple ends before its object: unexpected '}'"],
  ['SELECT * { ?s . }', 1, 15, "a triple ends before its predicate and object: unexpected '.'"],
  ['SELECT ?s WHERE { ?s foaf:name ?n , }', 1, 37, "an object is missing between ',' and '}'"],
  ['SELCT * {}', 1, 1, "unexpected 'SELCT', did you mean SELECT?"],
  ['SELECT * WHER { ?s ?p ?o }', 1, 10, "unexpected 'WHER', did you mean WHERE?"],
  ['SELECT * { OPTONAL { ?s ?p ?o } }', 1, 12, "unexpected 'OPTONAL', did you mean OPTIONAL?"],
  ['SELECT * { ?s ?p ?o } ODER BY ?s', 1, 23, "unexpected 'ODER', did you mean ORDER?"],
  ['SELECT * { ?s ?p ?o. FILTR(?o > 1) }', 1, 22, "unexpected 'FILTR', did you mean FILTER?"],
  ['SELECT DISTINC ?s { ?s ?p ?o}', 1, 8, "unexpected 'DISTINC', did you mean DISTINCT?"],
  ['SELECT * FORM <a:b> { ?s ?p ?o}', 1, 10, "unexpected 'FORM', did you mean FROM?"],
  [
    'FOO',
    1,
    1,
    "unexpected 'FOO'; a request begins with SELECT, CONSTRUCT, ASK, DESCRIBE, INSERT, DELETE or a declaration of prefixes",
  ],
  ['SELECT * {\r\n ?s ex:p ?o }', 2, 5, 'the prefix ex: is not declared'],
  ['SELECT * { ?s ?p "abc }', 1, 18, 'a string is not closed, or has an illegal escape'],
  ["SELECT * { ?s ?p 'it's' }", 1, 22, "the string ends before 's': a quote within it is written \\'"],
  ['SELECT * { ?s <a b> ?o }', 1, 18, "unexpected 'b': an IRI in <…> holds no blanks"],
  ['SELECT ?x WHERE ?s ?p ?o', 1, 17, 'the pattern after WHERE stands in braces: WHERE { … }'],
  ['ASK ?s ?p ?o', 1, 5, 'the pattern after ASK stands in braces: ASK { … }'],
  ['SELECT * ?s ?p ?o', 1, 10, 'SELECT * has no further columns'],
  ['SELECT * { OPTIONAL ?s ?p ?o }', 1, 21, 'OPTIONAL needs a group in braces: { … }'],
  ['SELECT * { {?s ?p ?o} UNION ?a ?b ?c }', 1, 29, 'UNION needs a group in braces: { … }'],
  ['CONSTRUCT { ?s ?p ?o }', 1, 23, 'the template of CONSTRUCT needs WHERE { … } after it'],
  ['SELECT * { ?s ?p ?o FILTER ?o > 1 }', 1, 28, 'FILTER needs its condition in parentheses: FILTER(…)'],
  ['SELECT * { ?s ?p ?o } GROUP BY ?s HAVING ?x > 1', 1, 42, 'HAVING needs its condition in parentheses: HAVING(…)'],
  ['SELECT ?x AS ?y { ?x ?p ?o }', 1, 11, 'a column with AS stands in parentheses: (?x AS ?y)'],
  ['SELECT count(*) AS ?n { ?s ?p ?o }', 1, 17, 'a column with AS stands in parentheses: (… AS ?n)'],
  ['SELECT ?x, ?y { ?x ?p ?y }', 1, 10, "the columns of SELECT are separated by blanks, not by ','"],
  ['SELECT (1 + 2) {}', 1, 14, 'an expression in SELECT needs a name: (… AS ?name)'],
  ['SELECT COUNT(*) {}', 1, 8, 'an expression in SELECT needs a name: (… AS ?name)'],
  ['SELECT { ?s ?p ?o }', 1, 8, "SELECT needs its columns before '{': variables, or * for all"],
  ['SELECT WHERE { ?s ?p ?o }', 1, 8, "SELECT needs its columns before 'WHERE': variables, or * for all"],
  ['SELECT name { ?s ?p ?o }', 1, 8, "unexpected 'name'; a variable is written ?name"],
  ['SELECT limit { ?s ?p ?o }', 1, 8, "unexpected 'limit'; a variable is written ?limit"],
  [
    'SELECT count { ?s ?p ?count }',
    1,
    14,
    'COUNT needs its arguments in parentheses; a variable of that name is written ?count',
  ],
  [
    'SELECT * { ?s name ?o }',
    1,
    15,
    'unexpected \'name\'; a variable is written ?name, an IRI <…> or prefix:name, a string "name"',
  ],
  ['SELECT * { ?s ?p ?o } LIMIT', 1, 28, 'LIMIT needs a number after it'],
  ['SELECT * {\n  ?s ?p ?o .\n} LIMIT x', 3, 9, 'LIMIT needs a number after it'],
  ['SELECT * { ?s ?p ?o } ORDER BY', 1, 31, 'ORDER BY needs a key, such as ?x or DESC(?x)'],
  ['SELECT * { ?s ?p ?o } ORDER BY LIMIT 3', 1, 32, "ORDER BY needs a key, such as ?x or DESC(?x), not 'LIMIT'"],
  ['SELECT * { ?s ?p ?o } ORDER ?s', 1, 29, 'ORDER needs BY after it'],
  ['SELECT * { ?s ?p ?o } ORDER BY DESC ?s', 1, 37, 'DESC needs its key in parentheses: DESC(?x)'],
  [
    'SELECT * { ?s ?p ?o } LIMIT 5 ORDER BY ?s',
    1,
    31,
    "unexpected 'ORDER': the order is GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET, VALUES",
  ],
  [
    'SELECT * { ?x = 5 }',
    1,
    15,
    "unexpected '=': a comparison stands in FILTER(…), and a value is given a name by BIND(… AS ?name)",
  ],
  ['SELECT * { FILTER(?a AND ?b) }', 1, 22, 'conditions are joined by &&, not AND'],
  ['SELECT * { FILTER(?a == ?b) }', 1, 23, "equality is written with one '='"],
  ['SELECT * { BIND(1 + 2) }', 1, 22, 'BIND needs AS: BIND(… AS ?name)'],
  ['SELECT * { BIND 1 AS ?x }', 1, 17, 'BIND needs parentheses: BIND(… AS ?name)'],
  ['SELECT * { FILTER(foo(?x)) }', 1, 19, "unknown function 'foo'"],
  ['SELECT * { FILTER(CONTANS(?x, "a")) }', 1, 19, "unknown function 'CONTANS', did you mean CONTAINS?"],
  [
    'SELECT ?a { ?s ?p ?o } GROUP BY ?s',
    1,
    8,
    'the variable ?a is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?a)',
  ],
  [
    'SELECT ?p (SUM(?o) AS ?n) { ?s ?p ?o }',
    1,
    8,
    'the variable ?p is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?p)',
  ],
  [
    'SELECT (?p AS ?x) (COUNT(?o) AS ?n) { ?s ?p ?o } GROUP BY ?s',
    1,
    9,
    'the variable ?p is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?p)',
  ],
  ['SELECT * { ?s ?p ?o } GROUP BY ?s', 1, 8, 'SELECT * cannot stand with GROUP BY: name the grouped variables'],
  ['SELECT (1 AS ?s) { ?s ?p ?o }', 1, 14, 'the variable ?s is bound already, and cannot be bound again by AS'],
  ['SELECT * { ?s ?p ?o BIND(1 AS ?s) }', 1, 31, 'the variable ?s is bound already, and cannot be bound again by AS'],
  ['SELECT (1 AS ?s) ?s { ?a ?p ?o }', 1, 14, 'SELECT has a second column ?s, and one of them is named by AS'],
  ['ASK { VALUES (?a ?a) { (1 1) } }', 1, 14, 'VALUES names a variable twice'],
  ['SELECT * { ?s ?p ?o };', 1, 22, "a query ends without ';', which only separates updates"],
  [
    '@prefix ex: <http://e/> . SELECT * {}',
    1,
    1,
    "@prefix is Turtle; SPARQL writes PREFIX, without '@' and without '.' at the end",
  ],
  ['PREFIX ex: <http://e/> . SELECT * {}', 1, 24, "a declaration of a prefix or base ends without '.'"],
  ['PREFIX ex <http://e/> SELECT * {}', 1, 8, 'a prefix ends with a colon: PREFIX ex:'],
  [
    'INSERT { <a:b> <a:b> 1 }',
    1,
    25,
    'INSERT { … } needs WHERE { … } after it; what has no variables goes into INSERT DATA { … }',
  ],
  ['INSERT DATA { ?s <a:b> 1 }', 1, 15, "unexpected '?s': INSERT DATA holds no variables"],
  ['SELECT * { GRAPH { ?s ?p ?o } }', 1, 18, "unexpected '{', expected a variable or an IRI"],
])('%j', (text, line, column, reason) => {
  expect(failure(text)).toMatchObject({ code: 'SPARQL_SYNTAX', line, column, reason });
});

test('long texts get the same errors', () => {
  const long = `INSERT DATA { ${'<http://example.org/s> <http://example.org/p> "o" . '.repeat(20_000)} ?s`;
  expect(failure(long).reason).toBe("unexpected '?s': INSERT DATA holds no variables");
});

test.each([
  ['SELECT * { <b> ?p 1 }', 1, 12, 'the relative IRI b cannot be resolved: there is no BASE'],
  ['ASK { ?s ?p "a\\x" }', 1, 15, 'a string has the illegal escape \\x'],
  ['ASK { ?s ?p "\\uD800" }', 1, 14, 'a string has the illegal escape \\u'],
  ['ASK { ?s ?p <http://e/\\u0020> }', 1, 23, 'an IRI has an illegal escape'],
  ['ASK { ?s ?p """a }', 1, 13, 'a string is not closed, or has an illegal escape'],
  ['ASK { ?s ?p "a"@en--up }', 1, 16, "unknown base direction 'up': it is ltr or rtl"],
  ['ASK { FILTER(STRLEN(?a, ?b)) }', 1, 20, 'STRLEN takes 1 argument'],
  ['ASK { FILTER(NOW(1)) }', 1, 17, 'NOW takes no arguments'],
  ['ASK { FILTER(SUBSTR(?a)) }', 1, 20, 'SUBSTR takes 2 to 3 arguments'],
  ['ASK { FILTER(COUNT(?a) > 1) }', 1, 14, 'COUNT stands only in SELECT, HAVING and ORDER BY'],
  ['SELECT (SUM(COUNT(?a)) AS ?b) {}', 1, 13, 'COUNT stands within another aggregate'],
  [
    'SELECT * { _:a ?p 1 OPTIONAL { _:a ?p 2 } }',
    1,
    32,
    'the blank node _:a stands in another basic graph pattern already: use a variable',
  ],
  [
    'INSERT DATA { _:a <a:p> 1 } ; INSERT DATA { _:a <a:p> 2 }',
    1,
    45,
    'the blank node _:a stands in another operation already',
  ],
  ['DELETE DATA { _:a <a:p> 1 }', 1, 15, "unexpected '_:a': DELETE DATA holds no blank nodes"],
  ['DELETE { [] ?p ?o } WHERE { ?s ?p ?o }', 1, 10, "unexpected '[]': the template of DELETE holds no blank nodes"],
  ['ASK { VALUES (?a ?b) { (1) } }', 1, 24, 'a row of VALUES has 1 values for 2 variables'],
  ['ASK { ?s <a:p>* ?o ~ ?r }', 1, 20, 'a triple whose predicate is a path cannot be annotated'],
  [
    'SELECT (?o AS ?x) (SUM(?p) AS ?n) { ?s ?p ?o }',
    1,
    9,
    'the variable ?o is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?o)',
  ],
  ['ASK { FILTER(1 = 2 = 3) }', 1, 20, "unexpected '=', expected an operator or ')'"],
  ['SELECTX * {}', 1, 1, "unexpected 'SELECTX', did you mean SELECT?"],
  [
    'SELECT * { ?s abc ?o }',
    1,
    15,
    'unexpected \'abc\'; a variable is written ?abc, an IRI <…> or prefix:abc, a string "abc"',
  ],
  ['SELECT * { } LIMIT -1', 1, 20, 'LIMIT needs a number after it'],
  ['CLEAR <a:b>', 1, 7, "unexpected '<a:b>', expected GRAPH, DEFAULT, NAMED or ALL"],
  ['SELECT * {} SELECT * {}', 1, 13, "unexpected 'SELECT', expected nothing more"],
])('%j', (text, line, column, reason) => {
  expect(failure(text)).toMatchObject({ code: 'SPARQL_SYNTAX', line, column, reason });
});
