/** Documents as the web has them: markup of shops, papers and recipes, messages of the Fediverse, credentials; some within pages. */

export interface WebDocument {
  readonly name: string;
  readonly text: string;
  readonly format: 'jsonld' | 'html';
  /** Number of statements. */
  readonly quads: number;
  /** The places that are no RDF. */
  readonly dropped: readonly string[];
}

const json = (name: string, quads: number, value: object, dropped: readonly string[] = []): WebDocument => ({
  name,
  text: JSON.stringify(value),
  format: 'jsonld',
  quads,
  dropped,
});
const schema = (name: string, quads: number, value: object, dropped?: readonly string[]): WebDocument =>
  json(name, quads, { '@context': 'https://schema.org', ...value }, dropped);
const AS = 'https://www.w3.org/ns/activitystreams';
const VC = 'https://www.w3.org/2018/credentials/v1';
const page = (...scripts: readonly object[]): string =>
  `<!doctype html><title>A page</title>${scripts
    .map((each) => `<script type="application/ld+json">${JSON.stringify(each)}</script>`)
    .join('')}<p>Text`;
const thing = (type: string, more: object): object => ({ '@type': type, ...more });

const RECIPE = {
  '@type': 'Recipe',
  name: 'Soup',
  image: ['https://food.example/1.jpg', 'https://food.example/2.jpg'],
  datePublished: '2026-01-05',
  recipeIngredient: ['1 onion', '2 carrots'],
  author: thing('Person', { name: 'Ann' }),
  nutrition: thing('NutritionInformation', { calories: '270 kcal' }),
};
const CREDENTIAL = {
  '@context': [VC, { alumniOf: 'https://schema.org/alumniOf' }],
  id: 'http://university.example/credentials/1872',
  type: ['VerifiableCredential'],
  issuer: 'https://university.example/issuers/565049',
  issuanceDate: '2026-01-01T19:23:24Z',
  credentialSubject: { id: 'did:example:ebfeb1', alumniOf: 'Example University' },
};

export const DOCUMENTS: readonly WebDocument[] = [
  schema(
    'an article',
    8,
    {
      '@type': 'NewsArticle',
      headline: 'A title',
      image: 'https://news.example/a.jpg',
      datePublished: '2026-02-05T08:00:00+08:00',
      author: [thing('Person', { name: 'Jane', url: 'https://news.example/jane' })],
    },
    [],
  ),
  schema('a recipe', 13, RECIPE),
  schema('a product with offers', 11, {
    '@type': 'Product',
    name: 'Anvil',
    sku: '0446310786',
    brand: thing('Brand', { name: 'ACME' }),
    offers: thing('Offer', { price: 119.99, priceCurrency: 'USD', availability: 'https://schema.org/InStock' }),
    aggregateRating: null,
  }),
  schema('an event', 13, {
    '@type': 'Event',
    name: 'Fair',
    startDate: '2026-07-21T19:00-05:00',
    eventStatus: 'https://schema.org/EventScheduled',
    location: thing('Place', {
      name: 'Park',
      address: thing('PostalAddress', { postalCode: '19019', addressCountry: 'US' }),
    }),
    performer: thing('PerformingGroup', {}),
  }),
  schema('an organization', 7, {
    '@type': 'Organization',
    '@id': 'https://acme.example/#org',
    url: 'https://acme.example/',
    logo: 'https://acme.example/logo.png',
    sameAs: ['https://social.example/acme', 'https://code.example/acme'],
    contactPoint: [thing('ContactPoint', {})],
  }),
  schema(
    'a site with a search box',
    5,
    {
      '@type': 'WebSite',
      url: 'https://acme.example/',
      potentialAction: {
        '@type': 'SearchAction',
        target: 'https://acme.example/?q={search_term_string}',
        'query-input': 'required name=search_term_string',
      },
    },
    ['/potentialAction/target'],
  ),
  schema('a trail of breadcrumbs', 10, {
    '@type': 'BreadcrumbList',
    itemListElement: [
      thing('ListItem', { position: 1, name: 'Books', item: 'https://books.example/' }),
      thing('ListItem', { position: 2, name: 'Fiction' }),
    ],
  }),
  schema('questions and answers', 7, {
    '@type': 'FAQPage',
    mainEntity: [
      thing('Question', { name: 'Why?', acceptedAnswer: thing('Answer', { text: '<p>Because &amp; so</p>' }) }),
    ],
  }),
  schema('a job', 7, {
    '@type': 'JobPosting',
    title: 'Smith',
    hiringOrganization: thing('Organization', { name: 'ACME', sameAs: 'https://acme.example' }),
    validThrough: '2026-03-18T00:00',
  }),
  schema(
    'a video',
    5,
    {
      '@type': 'VideoObject',
      name: 'Anvils',
      thumbnailUrl: ['https://v.example/1.jpg', 'https://v.example/2.jpg'],
      duration: 'PT1M54S',
      contentUrl: 'https://v.example/a b.mp4',
    },
    ['/contentUrl'],
  ),
  json('a graph by http://schema.org', 5, {
    '@context': 'http://schema.org',
    '@graph': [
      { '@type': 'Person', '@id': '#ann', name: 'Ann', knows: { '@id': '#bob' } },
      { '@type': 'Person', '@id': '#bob', name: 'Bob' },
    ],
  }),
  json('a list of documents', 4, [
    { '@context': 'https://schema.org/', '@type': 'Person', name: 'Ann' },
    { '@context': 'https://schema.org', '@type': 'Person', name: 'Bob' },
  ]),
  json(
    'a note',
    6,
    {
      '@context': AS,
      id: 'https://social.example/notes/1',
      type: 'Note',
      attributedTo: 'https://social.example/ann',
      content: '<p>Hello</p>',
      published: '2026-01-05T12:00:00Z',
      to: [`${AS}#Public`],
      cc: ['https://social.example/ann/followers'],
      inReplyTo: null,
      sensitive: false,
    },
    ['/sensitive'],
  ),
  json('a message of the Fediverse', 10, {
    '@context': [
      AS,
      { toot: 'http://joinmastodon.org/ns#', sensitive: 'as:sensitive', votersCount: 'toot:votersCount' },
    ],
    id: 'https://social.example/notes/2/activity',
    type: 'Create',
    actor: 'https://social.example/ann',
    object: {
      id: 'https://social.example/notes/2',
      type: 'Note',
      sensitive: true,
      votersCount: 3,
      tag: [{ type: 'Hashtag', href: 'https://social.example/tags/cats', name: '#cats' }],
    },
  }),
  json(
    'a person of the Fediverse',
    6,
    {
      '@context': [AS],
      id: 'https://social.example/ann',
      type: 'Person',
      preferredUsername: 'ann',
      nameMap: { en: 'Ann', de: 'Anna' },
      inbox: 'https://social.example/ann/inbox',
      outbox: 'https://social.example/ann/outbox',
      manuallyApprovesFollowers: false,
    },
    ['/manuallyApprovesFollowers'],
  ),
  json('a collection in order', 7, {
    '@context': AS,
    id: 'https://social.example/ann/outbox',
    type: 'OrderedCollection',
    totalItems: 2,
    orderedItems: ['https://social.example/notes/2', 'https://social.example/notes/1'],
  }),
  json('a credential', 5, CREDENTIAL),
  json('a presentation', 8, {
    '@context': [VC, { alumniOf: 'https://schema.org/alumniOf' }],
    type: 'VerifiablePresentation',
    holder: 'did:example:ebfeb1',
    verifiableCredential: [{ ...CREDENTIAL, '@context': undefined }],
  }),
  {
    name: 'a page',
    text: page({ '@context': 'https://schema.org/', ...RECIPE }),
    format: 'html',
    quads: 13,
    dropped: [],
  },
  {
    name: 'a page with two scripts',
    text: page({ '@context': 'https://schema.org', '@type': 'Person', name: 'Ann' }, [
      { '@context': AS, id: 'https://social.example/notes/3', type: 'Note', content: 'Hi' },
    ]),
    format: 'html',
    quads: 4,
    dropped: [],
  },
];
