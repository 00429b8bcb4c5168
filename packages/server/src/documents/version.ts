/** The version of the product, for clients. */
export const VERSION = '0.1.0';
