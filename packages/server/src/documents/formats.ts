/** The formats of the server: those of the library, and RDF/XML, JSON-LD, RDF/JSON, TriX and N3. */
import { JSON_LD, RDF_JSON, RDF_XML, registerExtraFormats, TRIX } from '@quadrille/formats-extra';
import { formats } from 'quadrille';
import { untrusted } from '#server-platform';

// At import, before any code lists the formats.
registerExtraFormats(formats);
for (const format of [RDF_XML, RDF_JSON, TRIX]) formats.replace(untrusted(format));
formats.replace(untrusted(JSON_LD, { always: true }));

export { formats };
