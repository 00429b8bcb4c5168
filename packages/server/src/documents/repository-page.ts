/** The page of a repository for browsers: its description, and links to its content. */
import type { RepositoryRecord } from '../host/index.js';
import { Reply } from '../message/reply.js';

const FORMATS = ['ttl', 'nt', 'nq', 'trig', 'rdf', 'jsonld', 'rj', 'trix'];
const PARTS = ['meta', 'size', 'contexts', 'namespaces', 'views', 'revisions', 'timemap', 'sparql'];

/** All texts are escaped. Descriptions are not read as HTML or Markdown. */
export function repositoryPage(record: RepositoryRecord, url: string): Reply {
  const { repository_id: id, name, summary, description, homepage, triple_count: size } = record;
  const texts = [summary, description].filter((text) => text !== null && text !== '') as string[];
  const isLink = homepage !== null && /^https?:/i.test(homepage);
  const body = [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escaped(name)}</title>`,
    `<h1>${escaped(name)}</h1>`,
    `<p>${escaped(id)}: ${String(size)} statements${isLink ? `, ${link(homepage, homepage)}` : ''}</p>`,
    ...texts.map((text) => `<p>${escaped(text)}</p>`),
    `<p>Statements as ${FORMATS.map((extension) => link(`${url}.${extension}`, extension)).join(' ')}</p>`,
    `<p>${PARTS.map((part) => link(`${url}/${part}`, part)).join(' ')}</p>`,
    '</html>',
    '',
  ];
  return new Reply(body.join('\n'), { headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' } });
}

const link = (href: string, label: string): string => `<a href="${escaped(href)}">${escaped(label)}</a>`;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
