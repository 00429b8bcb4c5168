// oxlint-disable-next-line import/no-default-export
export default {
  // Not bundled: native code, and files that start threads.
  serverExternalPackages: ['quadrille', 'classic-level'],
};
