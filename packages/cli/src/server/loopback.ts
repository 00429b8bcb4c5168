/** Whether the name or address of a host is of this machine only. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|localhost)$/i.test(host);
