/** The whole answer as a file, in every format of the server. */
import { saveResponse } from '../../api/download.js';
import { ask } from '../../api/sparql.js';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { fail } from '../../state/notices.js';
import { repository } from '../../state/repository.js';
import { Icon } from '../../ui/icon.js';
import { Menu } from '../../ui/menu.js';

interface Format {
  readonly label: string;
  readonly type: string;
  readonly extension: string;
}

const TSV: Format = { label: 'TSV', type: 'text/tab-separated-values', extension: 'tsv' };
const FORMATS: readonly Format[] = [
  { label: 'CSV', type: 'text/csv', extension: 'csv' },
  TSV,
  { label: 'SPARQL JSON', type: 'application/sparql-results+json', extension: 'srj' },
  { label: 'SPARQL XML', type: 'application/sparql-results+xml', extension: 'srx' },
  { label: 'JSON', type: 'application/json', extension: 'json' },
];
const BOOLEAN: Format = { label: text.plainText, type: 'text/boolean', extension: 'txt' };

const GRAPH_FORMATS: readonly Format[] = [
  { label: 'Turtle', type: 'text/turtle', extension: 'ttl' },
  { label: 'TriG', type: 'application/trig', extension: 'trig' },
  { label: 'N-Triples', type: 'application/n-triples', extension: 'nt' },
  { label: 'N-Quads', type: 'application/n-quads', extension: 'nq' },
  { label: 'RDF/XML', type: 'application/rdf+xml', extension: 'rdf' },
  { label: 'JSON-LD', type: 'application/ld+json', extension: 'jsonld' },
  { label: 'RDF/JSON', type: 'application/rdf+json', extension: 'rj' },
  { label: 'TriX', type: 'application/trix', extension: 'trix' },
  { label: 'N3', type: 'text/n3', extension: 'n3' },
  TSV,
];

const GRAPH_QUERY = /^\s*(?:#.*\s|prefix\b[^>]*>|base\b[^>]*>|version\b\s*\S+|\s)*(?:construct|describe)\b/i;

function formatsOf({ text: query, boolean }: Answer): readonly Format[] {
  if (boolean.value !== undefined) return [...FORMATS, BOOLEAN];
  return GRAPH_QUERY.test(query) ? GRAPH_FORMATS : FORMATS;
}

/** The table stops where the memory of the page would: the file has all rows. */
export function DownloadRest({ answer }: { readonly answer: Answer }) {
  return (
    <button type="button" class="button" onClick={() => void download(answer, TSV).catch(fail)}>
      <Icon name="download" />
      {text.query.downloadRest}
    </button>
  );
}

export function DownloadMenu({ answer }: { readonly answer: Answer }) {
  const formats = formatsOf(answer);
  const commands = formats.map((format) => ({
    label: format.label,
    run: () => void download(answer, format).catch(fail),
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
async function download(answer: Answer, { type, extension }: Format): Promise<void> {
  const response = await ask(repository.value!, answer.text, {
    at: answer.revision.value ?? answer.at,
    accept: type,
  });
  await saveResponse(response, `answer.${extension}`);
}
