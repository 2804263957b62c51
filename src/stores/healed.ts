import type { GraphReader, GraphStore } from './graph/port.ts';
import { heal } from './healing.ts';
import type { FileEngine } from './projection-file.ts';
import type { SearchReader, SearchStore } from './search/port.ts';
import type { SourceReader, SourceStore } from './source/port.ts';
import type { Schema } from './sqlite.ts';

/** An engine with its file, and how to open it. */
interface OnFile<Store> {
  file: string;
  schema: Schema;
  open: (options: { file: string }) => Promise<Store & FileEngine>;
}

/** Makes a reader once for the store that is open, which changes when its file does. */
function onceEach<Store, Reader>(make: (store: Store) => Reader): (store: Store) => Reader {
  let made: { store: Store; reader: Reader } | null = null;
  return (store) => {
    if (made?.store !== store) made = { store, reader: make(store) };
    return made.reader;
  };
}

/** A graph store in a file that is made anew when it is damaged. */
export function healGraph(onFile: OnFile<GraphStore>): GraphStore {
  const { ask, each, maintain, maintainOnce, healing, close } = heal({ store: 'graph', ...onFile });
  const readerOf = (make: (store: GraphStore) => GraphReader): GraphReader => {
    const reader = onceEach(make);
    return {
      state: () => ask((store) => reader(store).state()),
      repositoryGraph: () => ask((store) => reader(store).repositoryGraph()),
      neighbors: (repository) => ask((store) => reader(store).neighbors(repository)),
      inside: (query) => ask((store) => reader(store).inside(query)),
      stateInside: (repository) => ask((store) => reader(store).stateInside(repository)),
      edgesInside: (query) => ask((store) => reader(store).edgesInside(query)),
      adjacent: (query) => ask((store) => reader(store).adjacent(query)),
      outgoing: (query) => ask((store) => reader(store).outgoing(query)),
      impact: (query) => ask((store) => reader(store).impact(query)),
      path: (query) => ask((store) => reader(store).path(query)),
      query: (work) => ask((store) => reader(store).query(work)),
      answer: (query) => ask((store) => reader(store).answer(query)),
      node: (id) => ask((store) => reader(store).node(id)),
      definitions: (files) => ask((store) => reader(store).definitions(files)),
    };
  };
  return {
    engine: 'sqlite',
    healing,
    replaceRepository: (snapshot) => maintainOnce((store) => store.replaceRepository(snapshot)),
    removeRepository: (repository) => maintain((store) => store.removeRepository(repository)),
    replaceLinks: (links) => maintain((store) => store.replaceLinks(links)),
    linkGenerations: () => maintain((store) => store.linkGenerations()),
    generations: () => maintain((store) => store.generations()),
    everything: readerOf((store) => store.everything),
    within: (repositories) => readerOf((store) => store.within(repositories)),
    edges: (filter) => each((store) => store.edges(filter)),
    nodes: (filter) => each((store) => store.nodes(filter)),
    ping: () => maintain((store) => store.ping()),
    close,
  };
}

/** A search store in a file that is made anew when it is damaged. */
export function healSearch(onFile: OnFile<SearchStore>): SearchStore {
  const { ask, each, maintain, maintainOnce, healing, close } = heal({ store: 'search', ...onFile });
  const readerOf = (make: (store: SearchStore) => SearchReader): SearchReader => {
    const reader = onceEach(make);
    return {
      search: (query) => ask((store) => reader(store).search(query)),
      documents: (query) => ask((store) => reader(store).documents(query)),
    };
  };
  return {
    engine: 'sqlite',
    healing,
    replaceRepository: (snapshot) => maintainOnce((store) => store.replaceRepository(snapshot)),
    removeRepository: (repository) => maintain((store) => store.removeRepository(repository)),
    generations: () => maintain((store) => store.generations()),
    documents: (repository) => each((store) => store.documents(repository)),
    everything: readerOf((store) => store.everything),
    within: (repositories) => readerOf((store) => store.within(repositories)),
    ping: () => maintain((store) => store.ping()),
    close,
  };
}

/** A source store in a file that is made anew when it is damaged. */
export function healSource(onFile: OnFile<SourceStore>): SourceStore {
  const { ask, each, maintain, maintainOnce, healing, close } = heal({ store: 'source', ...onFile });
  return {
    engine: 'sqlite',
    healing,
    replaceRepository: (snapshot) => maintainOnce((store) => store.replaceRepository(snapshot)),
    removeRepository: (repository) => maintain((store) => store.removeRepository(repository)),
    generations: () => maintain((store) => store.generations()),
    files: (repository) => each((store) => store.files(repository)),
    history: (repository) => each((store) => store.history(repository)),
    within(repositories): SourceReader {
      const reader = onceEach((store: SourceStore) => store.within(repositories));
      return {
        kept: () => ask((store) => reader(store).kept()),
        read: (repository, path) => ask((store) => reader(store).read(repository, path)),
        histories: (files) => ask((store) => reader(store).histories(files)),
        search: (query) => ask((store) => reader(store).search(query)),
        commits: (query) => ask((store) => reader(store).commits(query)),
      };
    },
    ping: () => maintain((store) => store.ping()),
    close,
  };
}
