/** Layout of queries. */
import { expect, test } from 'vitest';
import { formatted } from './format.js';

test('braces indent, full stops end lines, keywords are capitals', () => {
  const query = `prefix ex: <http://e/#x>
select ?s (count(*) as ?n) where{ ?s a ex:select ; ex:p "a { b" , 'it''s' . # why {
optional { ?s ex:q ?o filter(?o>1) . ?o ex:r [] } } group by ?s order by desc(?n) limit 10`;
  expect(formatted(query)).toBe(`PREFIX ex: <http://e/#x>
SELECT ?s (count(*) AS ?n) WHERE {
  ?s a ex:select ; ex:p "a { b" , 'it''s' .
  # why {
  OPTIONAL {
    ?s ex:q ?o FILTER(?o>1) .
    ?o ex:r []
  }
}
GROUP BY ?s ORDER BY DESC(?n) LIMIT 10`);
  expect(formatted('ASK{?s ?p ?o}')).toBe('ASK { ?s ?p ?o }');
  expect(formatted('SELECT * {\n\n\n?s ?p ?o ;\n?q 1.5 .\n}')).toBe('SELECT * {\n\n  ?s ?p ?o ;\n    ?q 1.5 .\n}');
});

const PIECES =
  '{|}|{|{|}|(|)|[|]| . |.|;| , |?s|$x|ex:p|ex:a.b|_:b|a|select|Where|<http://e/#{>|"a # { }"|"""x\n}"""|1.5|-2e3|<|>|<<|>>|^ex:p*| |  |\n|\n\n|# { }\n|group|by|@en--ltr'.split(
    '|',
  );

const seed = Number(process.env['QUADRILLE_SEED'] ?? 1);

test(`texts made by chance say the same afterwards, and a second time nothing changes (QUADRILLE_SEED=${String(seed)})`, () => {
  let state = seed;
  const below = (most: number): number => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % most;
  };
  const essence = (text: string): string => text.replace(/\s+/g, '').toLowerCase();
  const words = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
  for (let n = 0; n < 2000; n++) {
    const text = Array.from({ length: below(30) }, () => PIECES[below(PIECES.length)]!).join(below(2) === 0 ? '' : ' ');
    const once = formatted(text);
    expect(essence(once)).toBe(essence(text));
    expect([text, formatted(once)]).toEqual([text, once]);
    // No two tokens became one, and none became two, but for those beside braces and full stops.
    const open = (each: string): string => words(each.replace(/\{\||\|\}|[{}.]/g, ' $& '));
    if (!/["'<#]/.test(text)) expect(open(once)).toBe(open(text));
  }
});
