import { rmSync } from 'node:fs';
import neo4j from 'neo4j-driver';
import { expect } from 'chai';
import type { Finding } from '../../loaders/check.ts';
import { disagreements } from '../../src/cli/answers/agree.ts';
import { get, repoIntel, startRepoIntel } from '../support/cli.ts';
import { onEngines } from '../support/engines.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { ownPlaces } from '../support/own-places.ts';
import type { OwnPlaces } from '../support/own-places.ts';

describe('repo-intel check, with every store on a server', () => {
  onEngines(['neo4j', 'elasticsearch', 'postgres', 'redis'], (server) => {
    const data = temporaryFolder();
    let places: OwnPlaces;
    let environment: Record<string, string>;
    before(async () => {
      places = await ownPlaces(server, 7);
      const { urls } = places;
      environment = {
        DATA_DIR: data,
        NEO4J_URL: urls.neo4j,
        ELASTICSEARCH_URL: urls.elasticsearch,
        DATABASE_URL: urls.postgres,
        REDIS_URL: urls.redis,
        API_KEY_PEPPER: 'a pepper for tests, long enough to be one',
        RATE_LIMITS: '*=1000000/60',
      };
    });
    after(async () => {
      // The program names its indices always the same.
      await repoIntel(['remove', 'harbour'], environment);
      await places?.remove();
      rmSync(data, { recursive: true });
    });
    const check = async () => {
      const { code, stdout, stderr } = await repoIntel(['check', '--json'], environment);
      const { findings } = JSON.parse(stdout || '{"findings":[]}') as { findings: Finding[] };
      expect(findings.length, stderr).above(0);
      return { code, found: findings.map(({ thing, status, detail }) => `${thing} ${status}: ${detail}`) };
    };

    const answers = async () => {
      const { stdout } = await repoIntel(
        ['keys', 'create', '--organization', 'default', '--role', 'owner', '--json'],
        environment,
      );
      const { api_key: key } = JSON.parse(stdout) as { api_key: string };
      const service = await startRepoIntel(['serve'], environment);
      try {
        const { found } = await disagreements(async (path) => {
          const { status, body } = await get<Record<string, unknown>>(service.address, path, key);
          if (status !== 200) throw new Error(String(body['code']));
          return body;
        });
        return found.join('\n');
      } finally {
        await service.stop();
      }
    };

    it('compares each with the snapshot, finds nothing wrong in what was loaded, and names what is', async () => {
      using repository = gitRepository({
        name: 'harbour',
        files: { 'a.js': 'export function moor() { return tie(); }\nfunction tie() {}\n' },
      });
      const load = await repoIntel(['load', repository.path], environment);
      expect(load.code, load.stderr).equals(0);
      const well = await check();
      expect([well.code, well.found.map((each) => each.split(':')[0])]).deep.equals([
        0,
        ['snapshot ok', 'graph ok', 'search ok', 'source ok', 'links ok', 'usage ok'],
      ]);

      expect(await answers()).equals('');

      const driver = neo4j.driver(places.urls.neo4j);
      await driver.executeQuery("MATCH (n) WHERE n.id ENDS WITH '#tie' DETACH DELETE n");
      await driver.close();
      const { code, found } = await check();
      expect(code).equals(1);
      expect(found.filter((each) => !/^\w+ ok/.test(each)).join('\n')).match(
        /^graph wrong: \d+ nodes, and \d+ by the snapshot; \d+ edges, and \d+ by the snapshot$/,
      );
      const said = await answers();
      expect(said).match(
        /^\/api\/graph\?level=symbol&repo=harbour&page_size=1000: Function counted, and found: 2 and 1$/m,
      );
      expect(said).match(/^\/api\/search\?type=Function&page_size=100: items that are no node: 1 and 0$/m);
    });
  });
});
