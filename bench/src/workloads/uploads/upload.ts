/** Sends a gigabyte of N-Triples to a server that 20 clients query meanwhile. */
import { measureCut, measureSlowReader, measureUpload, type UploadCase } from '../../serving/upload-case.js';
import type { Part, Workload } from '../../workload.js';

const part = (upload: UploadCase): Part => ({
  backend: 'quadrille',
  needs: ['bsbm-1m', 'store-1m'],
  measure: (context) => measureUpload(context, upload),
});

export const workload: Workload = {
  name: 'upload',
  parts: {
    body: part({ multipart: false, gzip: false }),
    'body-gzip': part({ multipart: false, gzip: true }),
    multipart: part({ multipart: true, gzip: false }),
    'multipart-gzip': part({ multipart: true, gzip: true }),
    cut: { backend: 'quadrille', needs: ['bsbm-1m', 'store-1m'], measure: measureCut },
    'slow-reader': { backend: 'quadrille', needs: ['store-1m'], measure: measureSlowReader },
  },
};
