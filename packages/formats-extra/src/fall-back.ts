/** Thrown by a fast reader at a document that it does not support. The caller then uses the full parser. */
export class FallBack extends Error {}
