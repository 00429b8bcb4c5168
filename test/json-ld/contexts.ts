/** The parts of three public contexts that the documents use, as they stand there. */

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const link = (id: string): object => ({ '@id': id, '@type': '@id' });
const schema = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, link(`schema:${name}`)]));

const SCHEMA_ORG = {
  type: '@type',
  id: '@id',
  HTML: { '@id': 'rdf:HTML' },
  '@vocab': 'http://schema.org/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  schema: 'http://schema.org/',
  ...schema(
    'url',
    'image',
    'sameAs',
    'logo',
    'availability',
    'eventStatus',
    'contentUrl',
    'thumbnailUrl',
    'item',
    'target',
  ),
  datePublished: { '@id': 'schema:datePublished', '@type': 'Date' },
  dateModified: { '@id': 'schema:dateModified', '@type': 'Date' },
};

const as = (type: string, ...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { '@id': `as:${name}`, '@type': type }]));

/** Its vocabulary is of blank nodes, so that keys which it does not know are no RDF. */
const ACTIVITY_STREAMS = {
  '@vocab': '_:',
  xsd: XSD,
  as: 'https://www.w3.org/ns/activitystreams#',
  ldp: 'http://www.w3.org/ns/ldp#',
  id: '@id',
  type: '@type',
  Note: 'as:Note',
  Create: 'as:Create',
  Person: 'as:Person',
  Hashtag: 'as:Hashtag',
  OrderedCollection: 'as:OrderedCollection',
  ...as('@id', 'actor', 'object', 'to', 'cc', 'attributedTo', 'tag', 'href', 'followers', 'inReplyTo'),
  url: { '@id': 'as:url', '@type': '@id' },
  items: { '@id': 'as:items', '@type': '@id' },
  orderedItems: { '@id': 'as:items', '@type': '@id', '@container': '@list' },
  inbox: { '@id': 'ldp:inbox', '@type': '@id' },
  ...as('xsd:dateTime', 'published'),
  ...as('xsd:nonNegativeInteger', 'totalItems'),
  name: 'as:name',
  nameMap: { '@id': 'as:name', '@container': '@language' },
  content: 'as:content',
  summary: 'as:summary',
  preferredUsername: 'as:preferredUsername',
  outbox: { '@id': 'as:outbox', '@type': '@id' },
  publicKey: { '@id': 'https://w3id.org/security#publicKey', '@type': '@id' },
};

const CRED = 'https://www.w3.org/2018/credentials#';
const CREDENTIALS = {
  '@version': 1.1,
  '@protected': true,
  id: '@id',
  type: '@type',
  VerifiableCredential: {
    '@id': `${CRED}VerifiableCredential`,
    '@context': {
      '@version': 1.1,
      '@protected': true,
      id: '@id',
      type: '@type',
      credentialSubject: { '@id': `${CRED}credentialSubject`, '@type': '@id' },
      credentialStatus: { '@id': `${CRED}credentialStatus`, '@type': '@id' },
      issuanceDate: { '@id': `${CRED}issuanceDate`, '@type': `${XSD}dateTime` },
      expirationDate: { '@id': `${CRED}expirationDate`, '@type': `${XSD}dateTime` },
      issuer: { '@id': `${CRED}issuer`, '@type': '@id' },
      proof: { '@id': 'https://w3id.org/security#proof', '@type': '@id', '@container': '@graph' },
    },
  },
  VerifiablePresentation: {
    '@id': `${CRED}VerifiablePresentation`,
    '@context': {
      '@version': 1.1,
      '@protected': true,
      id: '@id',
      type: '@type',
      holder: { '@id': `${CRED}holder`, '@type': '@id' },
      verifiableCredential: { '@id': `${CRED}verifiableCredential`, '@type': '@id', '@container': '@graph' },
    },
  },
};

/** By the addresses by which most documents name them. */
export const CONTEXTS: Readonly<Record<string, object>> = {
  'https://schema.org/': { '@context': SCHEMA_ORG },
  'https://www.w3.org/ns/activitystreams': { '@context': ACTIVITY_STREAMS },
  'https://www.w3.org/2018/credentials/v1': { '@context': CREDENTIALS },
};
