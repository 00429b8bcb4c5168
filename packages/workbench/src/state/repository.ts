/** The repository that is shown, its prefixes, and the list of all. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { getNamespaces, listRepositories, type Namespaces, type RepositoryRecord } from '../api/repositories.js';
import { route } from '../router.js';
import { fail } from './notices.js';
import { signIns } from './session.js';

export const repositories = signal<readonly RepositoryRecord[] | undefined>(undefined);
/** `account/repository` of the address. */
export const repository = computed(() => route.value.repository);
/** The branch of the address; undefined for the default one. */
export const branch = computed(() => route.value.parameters['branch']);
/** What pages show: they begin anew where this is another one. */
export const place = computed(() => `${repository.value ?? ''} ${branch.value ?? ''}`);
/** The repository of the last page that had one: pages of the server lead back to it. */
export const lastRepository = signal<string | undefined>(undefined);
/** The branch of that page. */
export const lastBranch = signal<string | undefined>(undefined);
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
    void untracked(readNamespaces);
  });
  effect(() => {
    if (repository.value === undefined) return;
    const [name, own] = [repository.value, branch.value];
    batch(() => {
      lastRepository.value = name;
      lastBranch.value = own;
    });
  });
}
