/** What guests say to the holder beside the requests of the client. */

/** The path of a request whose answer lasts as long as the holder. */
export const LINK = '/holder';
/** The paths of calls of the library that are no requests of the client: those that change nothing, and the others. */
export const READING_CALLS = '/holder/reading';
export const WRITING_CALLS = '/holder/writing';
/** The paths of calls of tools of agents: those that change nothing, and the others. */
export const READING_TOOLS = '/holder/tools/reading';
export const WRITING_TOOLS = '/holder/tools/writing';
/** A header of that answer with the id of the holder's process. */
export const HOLDER = 'quadrille-holder';
/** A header with the author of what the request changes, percent-encoded. */
export const AUTHOR = 'Quadrille-Author';
/** A header with metadata as JSON, percent-encoded: the repository of the path is made with them if there is none. */
export const CREATE = 'Quadrille-Create';
