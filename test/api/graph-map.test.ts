import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { layOutMap } from '../../src/graph/map-layout.ts';
import { describeService } from '../support/service.ts';

interface Disc {
  x: number;
  y: number;
  radius: number;
  group: string;
  name: string;
}

describeService('GET /api/graph/map', (service) => {
  it('has every repository with all edges between two as one link, and how many people they share', async () => {
    const { status, json } = await service().get('/api/graph/map');
    expect(status).equals(200);
    const graph = (await service().get('/api/graph?node_types=Repository&page_size=1000')).json;
    const idsOf = (nodes: unknown) => (nodes as { id: string }[]).map(({ id }) => id);
    expect(idsOf(json['repositories'])).deep.equals(idsOf(graph['nodes']));
    expect(json['links']).deep.include({
      from: 'payments-api',
      to: 'ledger',
      weight: (graph['edges'] as { weight: number }[]).reduce((sum, { weight }) => sum + weight, 0),
      counts: { DEPENDS_ON: (graph['edges'] as { weight: number }[])[0]?.weight },
    });
    expect((await service().get('/api/graph/map')).text).equals((await service().get('/api/graph/map')).text);
  });

  it('says what is asked wrongly, and is closed without a key', async () => {
    expect((await service().get('/api/graph/map?group=colour')).status).equals(422);
    expect((await service().send('/api/graph/map')).status).equals(401);
  });
});

describe('the layout of the map', () => {
  const nodes = Array.from({ length: 120 }, (_, index) => ({
    id: `r${index}`,
    group: `g${index % 7}`,
    size: (index * 7919) % 1000,
  }));
  const links = nodes.slice(1).map(({ id }, index) => ({ from: id, to: `r${(index * 31) % 120}` }));

  it('is the same in another process', async () => {
    const here = await layOutMap(nodes, links);
    const script = `import { layOutMap } from ${JSON.stringify(import.meta.resolve('../../src/graph/map-layout.ts'))};
      const { places } = await layOutMap(${JSON.stringify(nodes)}, ${JSON.stringify(links)});
      console.log(JSON.stringify([...places]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).deep.equals([...here.places]);
  });

  it('has no disc over another, none outside of its region, and no region over another', async () => {
    const { places, groups } = await layOutMap(nodes, links);
    const apart = (a: Omit<Disc, 'group' | 'name'>, b: Omit<Disc, 'group' | 'name'>) =>
      Math.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius;
    const all = [...places.values()];
    all.forEach((a, index) => all.slice(index + 1).forEach((b) => expect(apart(a, b)).above(0)));
    groups.forEach((a, index) => groups.slice(index + 1).forEach((b) => expect(apart(a, b)).above(0)));
    for (const { id, group } of nodes) {
      const [disc, region] = [places.get(id), groups.find(({ name }) => name === group)];
      if (disc === undefined || region === undefined) expect.fail(`${id} has no place`);
      expect(Math.hypot(disc.x - region.x, disc.y - region.y) + disc.radius).most(region.radius);
    }
  });
});
