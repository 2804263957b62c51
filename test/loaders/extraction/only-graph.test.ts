import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { gitRepository, temporaryFolder } from '../../support/git-repository.ts';

const files = {
  'src/app.js':
    "import express from 'express';\nimport { find } from './store.js';\nconst app = express();\n" +
    "app.get('/items/:id', (request, response) => response.json(find(request.params.id)));\n",
  'src/store.js': 'export function find(id) {\n  return eval(`items.${id}`);\n}\n',
  'src/store.test.js': "import { find } from './store.js';\ntest('finds', () => expect(find(1)).toBe(1));\n",
  'vendor/lib.js': 'export function vendored() {}\n',
  'db/schema.sql': 'CREATE TABLE item (id integer PRIMARY KEY, name text);\n',
  'notes.old': "import { find } from './store.js';\nexport function old(id) {\n  return fetch(`/items/${id}`);\n}\n",
  'style.css': 'a { color: red }\n',
};

describe('an analysis of the graph alone', () => {
  it('has the symbols, edges, endpoints, models and names of a whole one, and takes from the cache what that read', async () => {
    const folder = temporaryFolder();
    using repository = gitRepository({ name: 'shop' });
    repository.commit('one', { files });
    const cacheFile = join(folder, 'cache.sqlite');
    const read = async (onlyGraph: boolean, cache: boolean) => {
      const analysis = await analyze(repository.path, { name: 'shop', onlyGraph, ...(cache && { cacheFile }) });
      const { snapshot, cached, close } = analysis;
      const { boundary, declared, nodes, edges, repository: info } = snapshot;
      const ofGraph = {
        // What history and findings give is none of it.
        nodes: [...nodes].filter(({ type }) => !['Repository', 'Contributor', 'SecurityPattern'].includes(type)),
        edges: [...edges].filter(({ type, to }) => type !== 'CONTRIBUTED_TO' && !to.includes('#securitypattern:')),
        boundary: [...(boundary ?? [])],
        declared: [...(declared ?? [])],
        info: [info.endpoints, info.requests, info.skipped, info.unparsed, info.completeness],
      };
      close();
      return { ofGraph, cached, measurements: snapshot.measurements };
    };
    const whole = await read(false, false);
    const alone = await read(true, true);
    expect(alone.ofGraph).to.deep.equal(whole.ofGraph);
    expect(alone.ofGraph.nodes.map(({ type }) => type)).to.include.members(['Function', 'Endpoint', 'DataModel']);
    expect(alone).to.include({ cached: 0 });
    expect(alone.measurements).to.equal(undefined);
    // What was read for the graph has no measures, so that the whole is read anew; what it reads serves both.
    const next = await read(false, true);
    expect(next).to.deep.equal(whole);
    const { cached } = await read(true, true);
    expect(cached).to.be.greaterThan(3);
    rmSync(cacheFile);
    await read(false, true);
    expect(await read(true, true)).to.deep.include({ cached, ofGraph: whole.ofGraph });
    rmSync(folder, { recursive: true });
  });
});
