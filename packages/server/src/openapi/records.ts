/** The records that answers and bodies in JSON have, as JSON Schema. Answers may have further members; clients ignore what they do not know. */
import type { JobKind, JobStatus, Privacy, Right } from '../host/index.js';

const RIGHTS: readonly Right[] = ['read', 'write', 'own', 'replicate', 'operate'];
const PRIVACIES: readonly Privacy[] = ['private', 'authenticated', 'public'];
const JOB_STATUSES: readonly JobStatus[] = ['pending', 'running', 'completed', 'failed', 'aborted'];
const JOB_KINDS: readonly JobKind[] = ['import', 'create', 'clear', 'delete', 'query', 'verify', 'compact'];

const TEXT = { type: 'string' };
const NULLABLE = { type: ['string', 'null'] };
const FLAG = { type: 'boolean' };
const COUNT = { type: 'integer', minimum: 0 };
const TIME = { type: 'string', format: 'date-time' };
const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const UUID = { type: 'string', format: 'uuid' };
const ANYTHING = { type: 'object' };
const PLACE = { type: 'integer', minimum: 1 };
const listOf = (items: object): object => ({ type: 'array', items });
const TEXTS_OR_NULL = { anyOf: [listOf(TEXT), { type: 'null' }] };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

type Members = Readonly<Record<string, object>>;

/** An object with these members; `optional` ones may be missing. */
const record = (members: Members, optional: Members = {}): object => ({
  type: 'object',
  required: Object.keys(members),
  properties: { ...members, ...optional },
});

/** A record that a client sends. Unknown members are refused. */
const sent = (members: Members, optional: Members = {}): object => ({
  ...record(members, optional),
  additionalProperties: false,
});

const TOKEN: Members = {
  id: TEXT,
  label: NULLABLE,
  rights: listOf({ enum: RIGHTS }),
  created: TIME,
  expires: { type: ['string', 'null'], format: 'date-time' },
};
const REVISION: Members = {
  uuid: UUID,
  uri: TEXT,
  ordinal: PLACE,
  datetime: TIME,
  predecessor: { type: ['string', 'null'], format: 'uuid' },
  added: COUNT,
  removed: COUNT,
  size: COUNT,
  agent: NULLABLE,
  message: NULLABLE,
};
/** Of merges, of what was picked, and of what violates the shapes. */
const LINEAGE: Members = { kind: TEXT, parents: listOf(UUID), origin: UUID, violations: COUNT };
const CONFLICT = record({
  subject: TEXT,
  predicate: TEXT,
  graph: NULLABLE,
  base: listOf(TEXT),
  ours: listOf(TEXT),
  theirs: listOf(TEXT),
});
const PICK: Members = {
  onConflict: { enum: ['fail', 'ours', 'theirs', null] },
  message: NULLABLE,
  resolutions: {
    anyOf: [
      listOf(
        sent(
          { subject: TEXT, predicate: TEXT },
          { graph: NULLABLE, take: { enum: ['ours', 'theirs', 'base'] }, values: listOf(TEXT) },
        ),
      ),
      { type: 'null' },
    ],
  },
};
const MERGE: Members = {
  strategy: { enum: ['three-way', 'ours', 'theirs', null] },
  fastForward: { type: ['boolean', 'null'] },
  ...PICK,
};
const REPOSITORY_FIELDS: Members = {
  summary: NULLABLE,
  description: NULLABLE,
  homepage: NULLABLE,
  license_url: NULLABLE,
};
/** Fields of a repository alone, or within `repository`; others are ignored. */
const repositoryFields = (fields: Members): object => ({
  type: 'object',
  properties: { ...fields, repository: { type: 'object', properties: fields } },
});
const PRIVACY = { enum: PRIVACIES };

export const RECORDS = {
  Error: record(
    { error: TEXT, code: TEXT, status: { type: 'integer', minimum: 400 }, requestId: UUID },
    {
      line: PLACE,
      column: PLACE,
      errors: { type: 'object', additionalProperties: listOf(TEXT) },
      // Of a merge, the conflicts; of a parameter that was refused, its name.
      details: { anyOf: [record({ count: COUNT, conflicts: listOf(ref('Conflict')) }), record({ parameter: TEXT })] },
    },
  ),
  Digest: record({ uuid: UUID, uri: TEXT, ordinal: PLACE, digest: HASH, contentHash: HASH }),
  Common: record({ head: UUID, uri: TEXT, ordinal: PLACE, common: { type: ['string', 'null'], format: 'uuid' } }),
  AskedCommon: sent({ have: { type: 'array', maxItems: 64, items: UUID } }),
  Health: record({ status: { const: 'nominal' } }),
  Readiness: record({ status: { enum: ['ready', 'opening', 'draining', 'failed'] } }, { reason: TEXT }),
  System: record({ version: TEXT, features: listOf(TEXT), open: FLAG }, { limits: ANYTHING, workers: ANYTHING }),
  Server: record({
    id: UUID,
    label: TEXT,
    url: NULLABLE,
    role: { enum: ['holder', 'follower'] },
    self: FLAG,
    leaving: FLAG,
    silent_ms: COUNT,
    position: { type: ['integer', 'null'] },
    behind: { type: ['integer', 'null'] },
  }),
  Session: record({ account: NULLABLE, admin: FLAG, readOnly: FLAG }),
  SignInCode: sent({ code: TEXT }),
  SignedIn: record({ token: TEXT }),
  Account: record({ name: TEXT, admin: FLAG, created: TIME }),
  NewAccount: sent({ name: TEXT }, { fullname: NULLABLE, email: NULLABLE, admin: { type: ['boolean', 'null'] } }),
  AccountRecord: record(
    { name: TEXT, fullname: NULLABLE, created: TIME, repository_count: COUNT },
    { email: NULLABLE, admin: FLAG },
  ),
  Token: record(TOKEN),
  NewToken: sent(
    {},
    { label: NULLABLE, rights: { anyOf: [listOf({ enum: RIGHTS }), { enum: ['all', null] }] }, expires: NULLABLE },
  ),
  MadeToken: record({ ...TOKEN, token: TEXT }),
  AuditEntry: record(
    { time: TIME, account: NULLABLE, token: NULLABLE, action: TEXT, subject: TEXT },
    { details: ANYTHING },
  ),
  Query: record({
    id: TEXT,
    kind: TEXT,
    repository: NULLABLE,
    query: TEXT,
    state: TEXT,
    started: TIME,
    elapsed_ms: COUNT,
    rows: COUNT,
    memory_bytes: COUNT,
    account: NULLABLE,
    client_request_id: NULLABLE,
    revision: NULLABLE,
  }),
  Job: record(
    {
      uuid: UUID,
      status: { enum: JOB_STATUSES },
      working: FLAG,
      time: TIME,
      message: TEXT,
      pct: { type: 'integer', minimum: 0, maximum: 100 },
      operation: { enum: JOB_KINDS },
      repository_id: TEXT,
      created: TIME,
    },
    {
      branch: TEXT,
      client_request_id: TEXT,
      bytes: COUNT,
      bytes_total: COUNT,
      statements: COUNT,
      rate: COUNT,
      problems: COUNT,
      revision: UUID,
    },
  ),
  Problem: record({ line: PLACE, column: PLACE, message: TEXT, text: TEXT }),
  Maintenance: sent({ operation: { enum: ['verify', 'compact'] } }),
  User: record({ username: TEXT, password: TEXT, grantedAuthorities: listOf(TEXT), appSettings: ANYTHING }),
  Repository: record({
    repository_id: TEXT,
    name: TEXT,
    ...REPOSITORY_FIELDS,
    triple_count: COUNT,
    byte_size: COUNT,
    privacy: PRIVACY,
    created: TIME,
    updated: TIME,
    revision: UUID,
  }),
  NewRepository: repositoryFields({ name: TEXT, ...REPOSITORY_FIELDS, privacy: PRIVACY }),
  RepositoryChange: repositoryFields({ name: TEXT, ...REPOSITORY_FIELDS, privacy: PRIVACY }),
  Retention: sent({}, { last: PLACE, days: PLACE, perDay: PLACE }),
  Settings: record(
    {
      functional: listOf(TEXT),
      shapesStrict: FLAG,
      shapesMode: { enum: ['refuse', 'report'] },
      shapesSince: { enum: ['always', 'now'] },
      shapesWarnings: listOf(ref('ShapesWarning')),
      defaultBranch: TEXT,
      protected: listOf(TEXT),
    },
    { shapes: TEXT, retention: ref('Retention'), search: ref('Search') },
  ),
  Search: record(
    { progress: { type: 'number', minimum: 0, maximum: 1 } },
    { text: ref('TextIndex'), vectors: ref('VectorIndexes') },
  ),
  VectorIndexes: {
    type: 'object',
    additionalProperties: sent(
      { property: TEXT, dimension: { type: 'integer', minimum: 1, maximum: 4096 } },
      { embed: { enum: [true] } },
    ),
  },
  TextIndex: sent(
    {},
    {
      properties: listOf(TEXT),
      graphs: listOf(TEXT),
      languages: listOf(TEXT),
      fold: { enum: ['case', 'diacritics'] },
      stem: { enum: [false] },
    },
  ),
  SearchAnswer: record({
    revision: UUID,
    total: COUNT,
    hits: listOf(
      record({
        subject: ref('Term'),
        property: ref('Term'),
        graph: { anyOf: [ref('Term'), { type: 'null' }] },
        literal: ref('Term'),
        score: { type: 'number' },
      }),
    ),
    facets: { type: 'object', additionalProperties: listOf(record({ value: ref('Term'), count: COUNT })) },
  }),
  /** As in SPARQL's results in JSON. */
  Term: record(
    { type: { enum: ['uri', 'bnode', 'literal', 'triple'] }, value: {} },
    { 'xml:lang': TEXT, datatype: TEXT, 'its:dir': TEXT },
  ),
  ShapesReport: record(
    {
      conforms: FLAG,
      results: listOf(
        record(
          { focusNode: TEXT, component: TEXT, shape: TEXT, severity: TEXT, message: TEXT },
          { path: TEXT, value: TEXT },
        ),
      ),
      truncated: FLAG,
      warnings: listOf(ref('ShapesWarning')),
    },
    { constraints: listOf(ref('ShapesConstraint')) },
  ),
  ShapesConstraint: record(
    { shape: TEXT, component: TEXT, all: listOf(TEXT), commits: COUNT, nodes: COUNT, milliseconds: { type: 'number' } },
    { path: TEXT, source: TEXT },
  ),
  ShapesWarning: record({ shape: TEXT, statement: TEXT, reason: TEXT }),
  SettingsChange: sent(
    {},
    {
      functional: TEXTS_OR_NULL,
      shapes: NULLABLE,
      shapesStrict: { type: ['boolean', 'null'] },
      shapesMode: { enum: ['refuse', 'report', null] },
      shapesSince: { enum: ['always', 'now', null] },
      defaultBranch: NULLABLE,
      protected: TEXTS_OR_NULL,
      retention: { anyOf: [ref('Retention'), { type: 'null' }] },
      search: {
        anyOf: [
          sent({}, { text: { anyOf: [{ enum: [true] }, ref('TextIndex')] }, vectors: ref('VectorIndexes') }),
          { type: 'null' },
        ],
      },
    },
  ),
  EraseReport: record({
    quads: COUNT,
    terms: COUNT,
    revisions: COUNT,
    branches: COUNT,
    bytesRewritten: COUNT,
    copies: { type: 'array', items: TEXT },
  }),
  TrimReport: record({ trimmed: COUNT, kept: COUNT, bytesFreed: COUNT }),
  Rights: record({}, { read: FLAG, write: FLAG }),
  Namespace: TEXT,
  TermCount: record({ term: TEXT, count: COUNT }),
  Schema: record({
    classes: listOf(ref('TermCount')),
    properties: listOf(ref('TermCount')),
    graphs: listOf(ref('TermCount')),
  }),
  Parsed: record({
    kind: { enum: ['select', 'ask', 'construct', 'describe', 'update', null] },
    variables: listOf(TEXT),
    graphs: listOf(TEXT),
    prefixes: { type: 'object', additionalProperties: TEXT },
    errors: listOf(record({ line: PLACE, column: PLACE, message: TEXT, expected: NULLABLE, suggestion: NULLABLE })),
  }),
  View: record({ name: TEXT, uri: TEXT, query: TEXT }),
  Revision: record(REVISION, LINEAGE),
  Branch: record({ name: TEXT, head: ref('Revision'), default: FLAG, protected: FLAG }, { fork: ref('Revision') }),
  BranchName: sent({ name: TEXT }),
  Erase: sent(
    { reason: TEXT },
    {
      term: TEXT,
      pattern: sent({}, { subject: TEXT, predicate: TEXT, object: TEXT, graph: TEXT }),
      quads: TEXT,
      dryRun: { type: 'boolean' },
    },
  ),
  Fork: sent({ target: TEXT }, { at: NULLABLE }),
  Merge: sent({}, MERGE),
  CherryPick: sent({}, PICK),
  Conflict: CONFLICT,
  /** The revision of a merge, or what it would be where `preview` is given. */
  RevisionOrPreview: {
    anyOf: [
      record(REVISION, LINEAGE),
      record(
        {
          base: ref('Revision'),
          added: COUNT,
          removed: COUNT,
          conflictCount: COUNT,
          conflicts: listOf(ref('Conflict')),
        },
        { changes: listOf(ANYTHING) },
      ),
    ],
  },
  Memento: record({ memento: TEXT, ...REVISION, end: { type: ['string', 'null'], format: 'date-time' } }),
  /** A revision, or neighbouring ones counted together where `buckets` is given. */
  RevisionOrBucket: {
    anyOf: [
      record(REVISION, { ...LINEAGE, branch: NULLABLE }),
      record({
        from: PLACE,
        until: PLACE,
        count: COUNT,
        added: COUNT,
        removed: COUNT,
        first: NULLABLE,
        last: NULLABLE,
      }),
    ],
  },
  Row: ANYTHING,
  /** Changes, or how much has changed where `summary` is given. */
  Diff: {
    anyOf: [
      listOf(
        record({ op: { enum: ['add', 'remove'] }, subject: TEXT, predicate: TEXT, object: TEXT, graph: NULLABLE }),
      ),
      record({
        added: COUNT,
        removed: COUNT,
        predicates: listOf(record({ term: TEXT, added: COUNT, removed: COUNT })),
      }),
    ],
  },
} as const;
export type RecordName = keyof typeof RECORDS;

/** The members of a record that a client sends; `undefined` for one that may have others. */
export function membersOf(name: RecordName): readonly string[] | undefined {
  const schema = RECORDS[name] as { readonly properties?: object; readonly additionalProperties?: boolean };
  return schema.additionalProperties === false ? Object.keys(schema.properties ?? {}) : undefined;
}
