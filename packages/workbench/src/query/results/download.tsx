/** The whole answer as a file, in every format of the server. */
import { saveResponse } from '../../api/download.js';
import { ask } from '../../api/sparql.js';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { fail } from '../../state/notices.js';
import { repository } from '../../state/repository.js';
import { Icon } from '../../ui/icon.js';
import { Menu } from '../../ui/menu.js';

const FORMATS = [
  { label: 'CSV', type: 'text/csv', extension: 'csv' },
  { label: 'TSV', type: 'text/tab-separated-values', extension: 'tsv' },
  { label: 'JSON', type: 'application/sparql-results+json', extension: 'srj' },
  { label: 'XML', type: 'application/sparql-results+xml', extension: 'srx' },
] as const;

const GRAPH_FORMATS = [
  { label: 'Turtle', type: 'text/turtle', extension: 'ttl' },
  { label: 'N-Triples', type: 'application/n-triples', extension: 'nt' },
  { label: 'RDF/XML', type: 'application/rdf+xml', extension: 'rdf' },
  { label: 'JSON-LD', type: 'application/ld+json', extension: 'jsonld' },
] as const;

export function DownloadMenu({ answer }: { readonly answer: Answer }) {
  const formats = /^\s*(?:#.*\s|prefix\b[^>]*>|base\b[^>]*>|\s)*(?:construct|describe)\b/i.test(answer.text)
    ? [...GRAPH_FORMATS, FORMATS[1]]
    : FORMATS;
  const commands = formats.map(({ label, type, extension }) => ({
    label,
    run: () => void download(answer, type, extension).catch(fail),
  }));
  return (
    <Menu label={text.query.download} class="button quiet" commands={commands}>
      <Icon name="download" />
      {text.query.download}
      <Icon name="down" />
    </Menu>
  );
}

/** Asks again in the format, at the revision of the answer, without a limit of rows. */
async function download(answer: Answer, type: string, extension: string): Promise<void> {
  const response = await ask(repository.value!, answer.text, {
    at: answer.revision.value ?? answer.at,
    accept: type,
  });
  await saveResponse(response, `answer.${extension}`);
}
