import { expect, test } from 'vitest';
import { draftMapping, mapTable } from '../index.js';

const CSV = `id,first name,born,height,code,home,active,note,subject
1,Ann,1990-05-01,170,007,https://ann.example/,true,,x
2,"Bo, jr.",1985-11-30,171.5,010,https://bo.example/,false,,y
`;

/** What a draft makes of its table, without the namespaces. */
async function made(text: string, format: string): Promise<string[]> {
  const mapping = await draftMapping({ text }, { format });
  const lines: string[] = [];
  for await (const piece of mapTable({ text }, { format, mapping })) lines.push(...piece.trim().split('\n'));
  return lines.map((line) =>
    line.replaceAll('http://example.org/', '').replace('http://www.w3.org/2001/XMLSchema#', ''),
  );
}

test('a draft has a statement for each column, with the datatype of its cells', async () => {
  expect(await draftMapping({ text: CSV }, { format: 'csv' })).toMatchInlineSnapshot(`
    "PREFIX ex: <http://example.org/>
    PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

    CONSTRUCT {
      ?subject_ a ex:Row ;
        ex:id ?id_value ;
        ex:first_name ?first_name ;
        ex:born ?born_value ;
        ex:height ?height_value ;
        ex:code ?code ;
        ex:home ?home_value ;
        ex:active ?active_value ;
        ex:note ?note ;
        ex:subject ?subject .
    } WHERE {
      BIND(IRI(CONCAT("http://example.org/", ENCODE_FOR_URI(STR(?id)))) AS ?subject_)
      BIND(COALESCE(xsd:integer(?id), ?id) AS ?id_value)
      BIND(COALESCE(xsd:date(?born), ?born) AS ?born_value)
      BIND(COALESCE(xsd:decimal(?height), ?height) AS ?height_value)
      BIND(IF(STRSTARTS(?home, "http"), IRI(?home), ?home) AS ?home_value)
      BIND(COALESCE(xsd:boolean(?active), ?active) AS ?active_value)
    }
    "
  `);
  const lines = await made(CSV, 'csv');
  expect(lines.slice(0, 9)).toMatchInlineSnapshot(`
    [
      "<1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Row> .",
      "<1> <id> "1"^^<integer> .",
      "<1> <first_name> "Ann" .",
      "<1> <born> "1990-05-01"^^<date> .",
      "<1> <height> "170.0"^^<decimal> .",
      "<1> <code> "007" .",
      "<1> <home> <https://ann.example/> .",
      "<1> <active> "true"^^<boolean> .",
      "<1> <subject> "x" .",
    ]
  `);
});

test('without a key the number of the row names it; a cell of another kind stays what it is', async () => {
  const numbers = Array.from({ length: 100 }, (_, i) => String(i)).join('\n');
  expect((await made(`n\n${numbers}\nnone\n`, 'tsv')).slice(-3)).toEqual([
    '<100> <n> "99"^^<integer> .',
    '<101> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Row> .',
    '<101> <n> "none" .',
  ]);
  // The same id twice is no key.
  expect((await made('id\n7\n7\n', 'csv'))[0]).toMatch(/^<1> /);
});

test('members of JSON, of lists and inside of others, are columns', async () => {
  const rows = [
    { id: 1, name: 'Ann', phones: [{ no: '1' }, { no: 'x' }], address: { city: 'Oslo' }, none: null },
    { id: 2, since: '2020-01-02T03:04:05Z' },
  ];
  const expected = [
    '<1> <address_city> "Oslo" .',
    '<1> <id> "1"^^<integer> .',
    '<1> <name> "Ann" .',
    '<1> <phones_no> "1" .',
    '<1> <phones_no> "x" .',
    '<2> <id> "2"^^<integer> .',
    '<2> <since> "2020-01-02T03:04:05Z"^^<dateTime> .',
  ];
  const own = (lines: readonly string[]): string[] =>
    [...new Set(lines)].filter((line) => !line.includes('#type')).toSorted();
  expect(own(await made(JSON.stringify(rows), 'json'))).toEqual(expected);
  expect(own(await made(rows.map((row) => JSON.stringify(row)).join('\n'), 'jsonl'))).toEqual(expected);
});

test('what is no table is refused', async () => {
  await expect(draftMapping({ text: '[1]' }, { format: 'json' })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  await expect(draftMapping({ text: '' }, { format: 'csv' })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  await expect(draftMapping({ text: '' }, { format: 'ttl' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(draftMapping({ text: 'a\n' }, { format: 'csv', signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'ABORTED',
  });
});
