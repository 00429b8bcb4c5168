/** The formats of the server: those of the library, and RDF/XML, JSON-LD, RDF/JSON, TriX and N3. */
import { registerExtraFormats } from '@quadrille/formats-extra';
import { formats } from 'quadrille';

// Once, before anybody looks at what there is.
registerExtraFormats(formats);

export { formats };
