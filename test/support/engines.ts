import { expect } from 'chai';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { skipOrFail } from './required.ts';

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

/** What to do at the end of the whole run, the last one first; containers stop after everything else. */
const atEnd: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const work of atEnd.toReversed()) await work();
});

/** Does this at the end of the whole run, while the servers are still there. */
export function whenAllIsDone(work: () => Promise<unknown>): void {
  atEnd.push(work);
}

/**
 * A suite on a real server: the one that its variable names, else one in a container, else skipped with the reason, or failed
 * where REQUIRE_ENGINES=1 asks for all of them.
 */
export function onEngine(name: Engine, suite: (url: () => string) => void): void {
  onEngines([name], (url) => suite(() => url(name)));
}

/** A suite that needs several servers at once; one that is absent skips it. */
export function onEngines(names: readonly Engine[], suite: (url: (name: Engine) => string) => void): void {
  describe(`on ${names.join(', ')}`, function () {
    const urls = new Map<Engine, string>();
    before(async function () {
      const absent: string[] = [];
      for (const name of names) {
        const server = await (servers[name] ??= find(name));
        if ('url' in server) urls.set(name, server.url);
        else absent.push(server.absent);
      }
      if (absent.length === 0) return;
      skipOrFail(this, absent.join(' '));
    });
    // In a suite of its own, whose hooks are skipped with it.
    describe(names.length === 1 ? 'the server' : 'the servers', () => {
      suite((name) => urls.get(name) ?? expect.fail(`${name} is not there`));
    });
  });
}

type Found = { url: string } | { absent: string };

/** Found once a run. */
const servers: Partial<Record<Engine, Promise<Found>>> = {};

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
  atEnd.unshift(() => started.stop());
  return { url: `${scheme}://${started.getHost()}:${started.getMappedPort(port)}` };
}
