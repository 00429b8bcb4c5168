/** The formats of the server: those of the library, and RDF/XML, JSON-LD, that of pages, RDF/JSON, TriX and N3. */
import { HTML_JSON_LD, JSON_LD, RDF_JSON, RDF_XML, registerExtraFormats, TRIX } from '@quadrille/formats-extra';
import { formats } from 'quadrille';
import { untrusted } from '#server-platform';

// At import, before any code lists the formats.
registerExtraFormats(formats);
for (const format of [RDF_XML, RDF_JSON, TRIX]) formats.replace(untrusted(format));
for (const format of [JSON_LD, HTML_JSON_LD]) formats.replace(untrusted(format, { always: true }));

export { formats };
