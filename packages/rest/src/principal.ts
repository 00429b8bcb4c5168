/** Who a request comes from, where somebody found out: set on the context of the request before its handler runs. */

/** The context keeps the name of the account under this key; it becomes the author of what the request commits. */
export const PRINCIPAL = 'principal';
