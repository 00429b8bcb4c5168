/** The tables of docs/reference/limits.md. Their numbers are the constants of the code. */
import { LAST_NUMBER } from '../../../packages/core/src/format/numbers.js';
import { MAX_AUTHOR_BYTES, MAX_MESSAGE_BYTES } from '../../../packages/core/src/write/commit-info.js';
import { DEFAULT_LIMITS } from '../../../packages/formats/src/parser.js';
import { MAX_IRI_BYTES } from '../../../packages/model/src/terms.js';
import { DEFAULT_SERVICE_LIMITS } from '../../../packages/server/src/host/options.js';
import { queryLimits } from '../../../packages/server/src/host/queries/query-limits.js';
import { MAX_QUERY_BYTES } from '../../../packages/server/src/message/body.js';
import { bytes, constant, number, table, time } from './code-tables.js';

type Row = readonly [what: string, limit: string, code: string];
const HEADS = ['what', 'limit', 'code'] as const;

const ROW = constant('packages/formats-extra/src/tables/table-reader.ts', 'MOST_ROW');
const XML_DEPTH = constant('packages/formats-extra/src/xml/xml-reader.ts', 'MAX_XML_DEPTH');
const JSON_DEPTH = constant('packages/formats-extra/src/json-ld/json-ld-parser.ts', 'MAX_JSON_DEPTH');
const { maxTermBytes, maxLineBytes, maxDepth, maxPrefixes, maxDocumentBytes } = DEFAULT_LIMITS;
const { importBytes, importRatio, transactionBytes, updateBytes } = DEFAULT_SERVICE_LIMITS;

const DATA: readonly Row[] = [
  ['IRI', bytes(MAX_IRI_BYTES), '`INVALID_TERM`'],
  [
    'name of a prefix',
    `${number(constant('packages/quadrille/src/names/namespaces.ts', 'LONGEST_NAME'))} bytes of UTF-8`,
    '`INVALID_NAME`',
  ],
  ['literal, blank node label', bytes(maxTermBytes), '`INVALID_TERM`'],
  ['distinct terms of a repository, over its history', '2,147,483,646 (2^31 − 2)', '`STORAGE_LIMIT`'],
  ['numbers of a vector', '4,096', '`INVALID_OPTION`'],
  ['message of a revision', `${bytes(MAX_MESSAGE_BYTES)} of UTF-8`, '`INVALID_OPTION`'],
  ['author of a revision', `${bytes(MAX_AUTHOR_BYTES)} of UTF-8`, '`INVALID_OPTION`'],
  ['names of accounts and repositories', 'lower-case letters, digits, `-` and `_`', '`INVALID_NAME`'],
  [
    'quads of a repository, and of one load',
    `no fixed limit; measured with 50 million. From ${number(constant('packages/core/src/index/run/run-writer.ts', 'MOST_ROWS'))} rows on, a run is not merged with others`,
    '',
  ],
  [
    'terms of one load, counted again in each of its parts',
    '1,073,741,822 (2^30 − 2), and as many triple terms',
    '`STORAGE_LIMIT`',
  ],
  [
    'texts of blank node labels of one load',
    bytes(constant('packages/core/src/dictionary/term-table.ts', 'MOST_BYTES')),
    '`STORAGE_LIMIT`',
  ],
  [
    'revisions of a repository, numbers of branches',
    `${number(LAST_NUMBER)} (2^32 − 16); measured with 100,000`,
    '`STORAGE_LIMIT`',
  ],
  [
    'number of a revision in a history that is imported',
    '2,147,483,648 (2^31); its time ends with the year 9999',
    '`LOG_BROKEN`',
  ],
  [
    'runs that a repository writes in its life',
    `${number(LAST_NUMBER)}: about four for a flush, a merge or a million quads of a load`,
    '`STORAGE_LIMIT`',
  ],
  ['repositories that a store has had', `${number(LAST_NUMBER)}; measured with 10,000`, '`STORAGE_LIMIT`'],
  [
    'blob files that a store on disk has had',
    `${number(constant('packages/storage-directory/src/blobs/blob-writer.ts', 'LAST_FILE'))}, of 64 MiB each; a batch has at most 4 GiB of large values`,
    '`STORAGE_LIMIT`',
  ],
  ['runs that a process opens', '536,870,911 (2^29 − 1)', '`STORAGE_LIMIT`'],
];

const DOCUMENTS: readonly Row[] = [
  ['one line of N-Quads, token of Turtle, row of RDF Patch', bytes(maxLineBytes), '`RDF_SYNTAX`'],
  ['nesting of Turtle, JSON, XML', [maxDepth, JSON_DEPTH, XML_DEPTH].map(number).join(', '), '`RDF_SYNTAX`'],
  ['prefixes of a document', number(maxPrefixes), '`RDF_SYNTAX`'],
  ['JSON-LD document that is not an array at the root', bytes(maxDocumentBytes), '`RDF_SYNTAX`'],
  ['row of CSV or TSV, line of JSON Lines', bytes(ROW), '`RDF_SYNTAX`'],
  [
    'solutions of a mapping for one row',
    number(constant('packages/sparql/src/mapping/row-solutions.ts', 'MOST_SOLUTIONS')),
    '`INVALID_OPTION`',
  ],
  ['document that a server imports', `${bytes(importBytes)} after decompression`, '`INPUT_TOO_LARGE`'],
  ['compression ratio of such a document', number(importRatio), '`INPUT_TOO_LARGE`'],
  ['RDF Patch over HTTP', bytes(transactionBytes), '`INPUT_TOO_LARGE`'],
];

const QUERIES: readonly Row[] = [
  ['memory of one query', '256 MB, less with a small heap', '`QUERY_MEMORY`'],
  ['time of one query', `library: none; server: ${time(queryLimits().timeoutMs)}`, '`QUERY_TIMEOUT`'],
  ['rows of a result', 'none, unless `maxRows` is given', '`RESULT_TOO_LARGE`'],
  ['text of a query over HTTP', bytes(MAX_QUERY_BYTES), '`PAYLOAD_TOO_LARGE`'],
  ['text of an update over HTTP', `${bytes(updateBytes)}; \`updateBytes\`, \`--update-bytes\``, '`PAYLOAD_TOO_LARGE`'],
  [
    'nesting of brackets',
    number(constant('packages/sparql/src/syntax/lexer/trail.ts', 'MAX_NESTING')),
    '`SPARQL_SYNTAX`',
  ],
  [
    'nodes of `urn:quadrille:blame` per query',
    number(constant('packages/quadrille/src/sparql/blame-graph.ts', 'MAX_ROWS')),
    '`QUERY_MEMORY`',
  ],
  [
    'one call of `REGEX` or `REPLACE`',
    `${time(constant('packages/sparql/src/expression/regex/regex.ts', 'BUDGET_MS'))} for one text`,
    '`QUERY_TIMEOUT`',
  ],
];

export const LIMITS_TABLES: Readonly<Record<string, () => string>> = {
  'limits of data': () => table(HEADS, DATA),
  'limits of documents': () => table(HEADS, DOCUMENTS),
  'limits of queries': () => table(HEADS, QUERIES),
};
