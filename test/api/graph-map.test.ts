import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { communitiesOf } from '../../src/graph/communities.ts';
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

  it('puts those together that are linked, and names them by the one with the most links', async () => {
    const { json } = await service().get('/api/graph/map?group=community');
    const groups = new Map(
      (json['repositories'] as { id: string; group: string }[]).map(({ id, group }) => [id, group]),
    );
    expect(groups.get('payments-api'))
      .matches(/^around /)
      .and.equals(groups.get('ledger'));
    const linked = new Set((json['links'] as { from: string; to: string }[]).flatMap(({ from, to }) => [from, to]));
    for (const [id, group] of groups) expect(group === 'not linked', id).equals(!linked.has(id));
    expect((json['groups'] as { name: string }[]).map(({ name }) => name)).has.members([...new Set(groups.values())]);
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

describe('the communities of the map', () => {
  // Who met whom in a karate club that then split in two: W. W. Zachary, 1977.
  const met =
    '2-1 3-1 3-2 4-1 4-2 4-3 5-1 6-1 7-1 7-5 7-6 8-1 8-2 8-3 8-4 9-1 9-3 10-3 11-1 11-5 11-6 12-1 13-1 13-4 14-1 14-2 14-3 14-4 17-6 17-7 18-1 18-2 20-1 20-2 22-1 22-2 26-24 26-25 28-3 28-24 28-25 29-3 30-24 30-27 31-2 31-9 32-1 32-25 32-26 32-29 33-3 33-9 33-15 33-16 33-19 33-21 33-23 33-24 33-30 33-31 33-32 34-9 34-10 34-14 34-15 34-16 34-19 34-20 34-21 34-23 34-24 34-27 34-28 34-29 34-30 34-31 34-32 34-33';
  const ties = met.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('-');
    return { from, to, weight: 1 };
  });
  const ids = [...new Set(ties.flatMap(({ from, to }) => [from, to]))];

  it('are as good as is known to be possible in a network that others measure by', () => {
    const communities = communitiesOf(ids, ties);
    const partOf = new Map(communities.flatMap((members, part) => members.map((id) => [id, part] as const)));
    const degreeOf = (id: string) => ties.filter(({ from, to }) => from === id || to === id).length;
    const modularity = communities.reduce((sum, members) => {
      const within = ties.filter(({ from, to }) => members.includes(from) && members.includes(to)).length;
      const degrees = members.reduce((all, id) => all + degreeOf(id), 0);
      return sum + within / ties.length - (degrees / (2 * ties.length)) ** 2;
    }, 0);
    // The best that there is has .4198.
    expect(modularity).above(0.41);
    expect(partOf.get('1')).not.equals(partOf.get('34'));
    expect(communities.flat().sort()).deep.equals(ids.toSorted());
  });

  it('are the same in whatever order the graph is given, and leave alone what has no ties', () => {
    const turned = ties.toReversed().map(({ from, to, weight }) => ({ from: to, to: from, weight }));
    expect(communitiesOf(ids.toReversed(), turned)).deep.equals(communitiesOf(ids, ties));
    expect(communitiesOf(['b', 'a'], [])).deep.equals([['a'], ['b']]);
  });
});
