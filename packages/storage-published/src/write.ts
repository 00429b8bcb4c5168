export type { PublicationTarget } from './write/target.js';
export { writePublication, type Publication, type PublicationOptions } from './write/write-publication.js';
