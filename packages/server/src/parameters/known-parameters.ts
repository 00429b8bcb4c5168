/** All parameters that some route takes, each described once. */

export const PARAMETERS = {
  subj: 'Subject, as an N-Triples term or a bare IRI',
  pred: 'Predicate, as an IRI',
  obj: 'Object, as an N-Triples term or a bare IRI',
  context: 'Graph, as an IRI, a blank node, `null` or `default`; may be repeated',
  baseURI: 'Resolves relative IRIs of the document',
  rdfDirection: 'What a string of JSON-LD with a base direction becomes: `i18n-datatype` or `compound-literal`',
  expandContext: 'Context that comes before those of a JSON-LD document: its address, or JSON',
  processingMode: '`json-ld-1.0` or `json-ld-1.1`',
  url: 'Address of the document to load, in place of a body',
  query: 'SPARQL query',
  values: 'Rows of VALUES that go behind the query',
  'default-graph-uri': 'Graph that belongs to the default graph of the query; may be repeated',
  'named-graph-uri': 'Named graph of the query; may be repeated',
  'using-graph-uri': 'Graph that belongs to the default graph of WHERE; may be repeated',
  'using-named-graph-uri': 'Named graph of WHERE; may be repeated',
  offset: 'How many rows or triples of the answer are left out at its beginning',
  'response-limit': 'The greatest number of rows or triples, after `limit` and `offset`',
  'response-offset': 'How many rows or triples are left out at the beginning, after `limit` and `offset`',
  update: 'SPARQL update',
  timeout:
    'Seconds that parsing, planning and running may take, at most what `/system` tells; 0 means the limit of the server. A longer whole ' +
    'number means milliseconds',
  'revision-id':
    'Revision: IRI, UUID, ordinal, HEAD, HEAD~n, TAIL, time or tag; an interval A--B where history is meant',
  branch: 'Branch, where the header Branch does not name it; default: the one of the settings',
  from: 'First revision, or time; of a new branch the revision with which it begins',
  to: 'Revision',
  until: 'Last revision, or time',
  before: 'Revision or time that is not part of it any more',
  limit: 'At most so many: of a list the newest, of changes and results the first',
  since: 'Revision after which to begin; default HEAD. The header Last-Event-ID comes first',
  wait: 'Seconds to wait for the first revision, 0 to 60',
  author: 'Only revisions of this author',
  message:
    'Of a change: the message of its revision, if there is no header Revision-Message. Of a list: only revisions whose message ' +
    'contains this, in any case of letters',
  graph: 'Graph IRI',
  q: "Words, in the syntax of Lucene's classic query parser",
  property: 'IRI of the property whose values are searched',
  lang: 'Language tag of the literals, or its beginning: `en` also finds `en-GB`',
  facet: 'IRI of a property whose values are counted over all hits; may be repeated',
  position: '`subject`, `predicate`, `object`, `graph` or `class`',
  prefix: 'Beginning of the IRI, of its last part or of a literal; or a prefixed name',
  all: '`1`: those of other accounts that the caller may read, too',
  status: 'Of jobs: `all`, or one status. Default: those that are pending or running',
  repository: '`account/repository`',
  branches: '`all`: the revisions of all branches. In a log each is before its parents, with `parents` and `branch`',
  buckets: 'At most so many groups of neighbouring revisions, in place of the revisions',
  summary: '`1`: how much is added and removed, in all and by predicate',
  cursor: 'Where a page begins; of the Link to it',
  compare: 'Revision whose answer is compared: rows that only one answer has, with the column `change`',
  explain:
    'Of a query `plan` or `analyze`: its plan in place of its answer, the latter with actual figures. Of a validation `1`: what the guard ' +
    'does for each constraint, and what that has cost',
  'client-request-id': 'Only those of the caller that were sent with this Client-Request-Id',
  subject: 'IRI',
  predicate: 'IRI',
  object: 'IRI, or a literal as `"text"`, `"text"@en` or `"text"^^IRI`',
  page: 'Number of the page, from 1',
  history: '`1`: the body is a history file, with ids, times and authors',
  'on-error': '`skip`: lines of N-Triples and N-Quads that are not well formed are left out. Default `fail`',
  'max-errors': 'How many lines may be left out. Default 1000',
  preview: '`1`: tell the changes, and make none',
  mode: '`project-history` (default), or `delete-history`: also remove the statements from before',
  focus: 'Node that is validated, as an N-Triples term or a bare IRI; may be repeated. Default: all',
  change: '`1`: only what the change of the revision can affect, as its commit was checked',
  strict: '`1`: shapes with statements that have no meaning are refused',
  last: 'Number of the newest revisions to keep',
  'per-day': 'Number of the last revisions of each day (UTC) to keep',
  'dry-run': '`1`: tell what would be added and removed, or which revisions would be removed, and change nothing',
  removed: '`1`: statements that are gone, too',
  default: 'The default graph',
  force: '`1`: with the repositories of the account; a branch also if no other branch has its revisions',
  action: 'ADD, DELETE, GET, SIZE, QUERY, UPDATE, PING, COMMIT or ROLLBACK',
} as const;

/** Parameters of other clients, without a description: they choose the format of an answer, or have no effect. */
export const TOLERATED = [
  ...(['Accept', 'format', 'output', 'results'] as const),
  ...(['infer', 'sameAs', 'distinct', 'queryLn', 'ruleset', 'user_id', 'debug'] as const),
  ...(['preserveNodeId', 'isolation-level'] as const),
] as const;

/** Parameters whose names only begin so: the values of variables, and the settings of a transaction of RDF4J. */
export const PREFIXES = ['$', 'transaction-setting__'] as const;

/** The fields of the record of a repository. */
export const FIELDS = ['name', 'summary', 'description', 'homepage', 'license_url', 'privacy'] as const;
export const FIELD_NAMES = FIELDS.flatMap((field) => [field, `repository[${field}]`] as const);

export type DescribedName = keyof typeof PARAMETERS;
export type ParameterName =
  | DescribedName
  | (typeof TOLERATED)[number]
  | (typeof PREFIXES)[number]
  | (typeof FIELD_NAMES)[number];

export const isDescribed = (name: string): name is DescribedName => Object.hasOwn(PARAMETERS, name);

/** Other names of parameters. A route that takes one name takes the other, too. */
export const ALIASES: Readonly<Record<string, string | undefined>> = {
  subject: 'subj',
  predicate: 'pred',
  object: 'obj',
  revision: 'revision-id',
  'revision-uuid': 'revision-id',
};

/** Those that may be given several times. */
export const REPEATABLE: ReadonlySet<string> = new Set<ParameterName>([
  'context',
  'default-graph-uri',
  'named-graph-uri',
  'using-graph-uri',
  'using-named-graph-uri',
  'focus',
  'facet',
]);

/** Those to which an empty value is no mistake of a client: it has a meaning, and none that makes a request do more. */
export const MAY_BE_EMPTY: ReadonlySet<string> = new Set<ParameterName>([
  ...(['default', 'preview', 'dry-run', 'message', 'query', 'update', 'values', 'timeout'] as const),
  // The default graph.
  'context',
  ...(['default-graph-uri', 'named-graph-uri', 'revision-id'] as const),
  ...TOLERATED,
  ...FIELD_NAMES,
]);

const FLAG = { type: 'string', enum: ['0', '1', 'false', 'true'] };
/** That may stand alone, as `?preview`. */
const BARE_FLAG = { type: 'string', enum: ['', '0', '1', 'false', 'true'] };
const one = (...values: readonly string[]): object => ({ type: 'string', enum: values });
const TERM = { type: 'string', examples: ['<http://example.org/a>'] };
const REF = { type: 'string', examples: ['HEAD', 'TAIL', '1'] };

/** The values of parameters that are not any text. */
export const PARAMETER_SCHEMAS: Readonly<Partial<Record<DescribedName, object>>> = {
  subj: TERM,
  pred: TERM,
  obj: TERM,
  context: { type: 'string', examples: ['<http://example.org/g>', 'default'] },
  graph: { type: 'string', examples: ['http://example.org/g'] },
  subject: { type: 'string', examples: ['http://example.org/a'] },
  predicate: { type: 'string', examples: ['http://example.org/p'] },
  object: { type: 'string', examples: ['"text"@en'] },
  q: { type: 'string', examples: ['text', '+"some text" -other'] },
  property: { type: 'string', examples: ['http://example.org/p'] },
  facet: { type: 'string', examples: ['http://example.org/p'] },
  lang: { type: 'string', examples: ['en'] },
  baseURI: { type: 'string', examples: ['http://example.org/'] },
  query: { type: 'string', examples: ['SELECT * { ?s ?p ?o } LIMIT 10', 'ASK { ?s ?p ?o }'] },
  'revision-id': REF,
  branch: { type: 'string', examples: ['main', 'dev'] },
  from: REF,
  to: REF,
  until: REF,
  before: REF,
  since: REF,
  compare: REF,
  url: { type: 'string', examples: ['http://example.org/data.ttl'] },
  values: { type: 'string', examples: ['(?s) { (<http://example.org/a>) }'] },
  'default-graph-uri': { type: 'string', examples: ['http://example.org/g'] },
  'named-graph-uri': { type: 'string', examples: ['http://example.org/g'] },
  'using-graph-uri': { type: 'string', examples: ['http://example.org/g'] },
  'using-named-graph-uri': { type: 'string', examples: ['http://example.org/g'] },
  offset: { type: 'integer', minimum: 0 },
  'response-limit': { type: 'integer', minimum: 0 },
  'response-offset': { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 0 },
  last: { type: 'integer', minimum: 1 },
  'per-day': { type: 'integer', minimum: 1 },
  mode: one('project-history', 'delete-history'),
  'dry-run': BARE_FLAG,
  timeout: { type: 'number', minimum: 0, maximum: 300 },
  page: { type: 'integer', minimum: 1, maximum: 10_000_000 },
  wait: { type: 'number', minimum: 0, maximum: 60 },
  branches: one('all', 'this'),
  buckets: { type: 'integer', minimum: 1, maximum: 1000 },
  'max-errors': { type: 'integer', minimum: 0, maximum: 1_000_000 },
  position: one('subject', 'predicate', 'object', 'graph', 'class'),
  history: FLAG,
  'on-error': one('fail', 'skip'),
  explain: one('plan', 'analyze'),
  rdfDirection: one('i18n-datatype', 'compound-literal'),
  processingMode: one('json-ld-1.0', 'json-ld-1.1'),
  status: one('', 'all', 'pending', 'running', 'completed', 'failed', 'aborted', 'unknown'),
  action: one('ADD', 'DELETE', 'GET', 'SIZE', 'QUERY', 'UPDATE', 'PING', 'COMMIT', 'ROLLBACK'),
  force: FLAG,
  preview: BARE_FLAG,
  removed: FLAG,
  focus: TERM,
  change: FLAG,
  strict: FLAG,
  summary: FLAG,
  all: BARE_FLAG,
};
