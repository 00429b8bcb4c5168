/** The repository that is shown, its prefixes, and the list of all. */
import { computed, effect, signal, untracked } from '@preact/signals';
import { getNamespaces, listRepositories, type Namespaces, type RepositoryRecord } from '../api/repositories.js';
import { route } from '../router.js';
import { fail } from './notices.js';
import { signIns } from './session.js';

export const repositories = signal<readonly RepositoryRecord[] | undefined>(undefined);
/** `account/repository` of the address. */
export const repository = computed(() => route.value.repository);
/** The repository of the last page that had one: pages of the server lead back to it. */
export const lastRepository = signal<string | undefined>(undefined);
const ownNamespaces = signal<Namespaces>({});

/** What every user knows; prefixes of the repository come first. */
const WELL_KNOWN: Namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  schema: 'http://schema.org/',
};

export const namespaces = computed<Namespaces>(() => ({ ...WELL_KNOWN, ...ownNamespaces.value }));

export async function readRepositories(): Promise<void> {
  try {
    repositories.value = await listRepositories();
  } catch (error) {
    fail(error);
  }
}

export async function readNamespaces(): Promise<void> {
  const name = repository.value;
  if (name === undefined) return;
  const found = await getNamespaces(name).catch(() => ({}));
  if (repository.value === name) ownNamespaces.value = found;
}

/** Called once by the page. */
export function startRepository(): void {
  effect(() => {
    void signIns.value;
    void untracked(readRepositories);
  });
  effect(() => {
    void signIns.value;
    if (repository.value === undefined) return;
    lastRepository.value = repository.value;
    void untracked(readNamespaces);
  });
}
