/** Ends the reading of a document that is not as plain as it has to be; the one who began it tries something else. */
export class FallBack extends Error {}
