import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

/** Servers that the tests run on, beside the embedded engines. What is found there is wiped. */
const engines = {
  neo4j: {
    variable: 'NEO4J_TEST_URL',
    container: () =>
      new GenericContainer('neo4j:2026.08.1')
        .withEnvironment({ NEO4J_AUTH: 'none' })
        .withExposedPorts(7687)
        .withWaitStrategy(Wait.forLogMessage('Started.')),
    port: 7687,
    scheme: 'bolt',
  },
  elasticsearch: {
    variable: 'ELASTICSEARCH_TEST_URL',
    container: () =>
      new GenericContainer('elasticsearch:9.5.3')
        .withEnvironment({
          'discovery.type': 'single-node',
          'xpack.security.enabled': 'false',
          ES_JAVA_OPTS: '-Xms512m -Xmx512m',
        })
        .withExposedPorts(9200)
        .withWaitStrategy(Wait.forHttp('/_cluster/health', 9200)),
    port: 9200,
    scheme: 'http',
  },
  postgres: {
    variable: 'DATABASE_TEST_URL',
    container: () =>
      new GenericContainer('postgres:18')
        .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: 'trust' })
        .withExposedPorts(5432)
        .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2)),
    port: 5432,
    scheme: 'postgres',
  },
  redis: {
    variable: 'REDIS_TEST_URL',
    container: () => new GenericContainer('redis:8').withExposedPorts(6379),
    port: 6379,
    scheme: 'redis',
  },
};
export type Engine = keyof typeof engines;

/**
 * A suite on a real server: the one that its variable names, else one in a container, else skipped with the reason, or failed
 * where REQUIRE_ENGINES=1 asks for all of them.
 */
export function onEngine(name: Engine, suite: (url: () => string) => void): void {
  describe(`on ${name}`, function () {
    let found: Found;
    before(async function () {
      this.timeout(240_000);
      found = await find(name);
      if ('url' in found) return;
      if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(found.absent);
      console.warn(`    skipped: ${found.absent}`);
      this.skip();
    });
    after(async () => {
      if ('stop' in found) await found.stop();
    });
    // In a suite of its own, whose hooks are skipped with it.
    describe('the server', () => {
      suite(() => {
        if ('url' in found) return found.url;
        throw new Error(found.absent);
      });
    });
  });
}

type Found = { url: string } | { url: string; stop: () => Promise<unknown> } | { absent: string };

async function find(name: Engine): Promise<Found> {
  const { variable, container, port, scheme } = engines[name];
  const url = process.env[variable];
  if (url !== undefined && url !== '') return { url };
  try {
    await getContainerRuntimeClient();
  } catch {
    return { absent: `${name}: ${variable} is not set and no container engine answers.` };
  }
  const started = await container().start();
  return { url: `${scheme}://${started.getHost()}:${started.getMappedPort(port)}`, stop: () => started.stop() };
}
