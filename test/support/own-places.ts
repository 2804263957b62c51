import { randomUUID } from 'node:crypto';
import { Client as Elasticsearch } from '@elastic/elasticsearch';
import { Redis } from 'ioredis';
import neo4j from 'neo4j-driver';
import { Client as Postgres } from 'pg';
import type { Engine } from './engines.ts';

/** Where stores on the test servers may put their data: empty, and nobody else's. */
export interface OwnPlaces {
  urls: Record<Engine, string>;
  indexPrefix: string;
  remove(): Promise<void>;
}

/** A place that nobody else uses, until it is removed. */
interface OwnPlace {
  url: string;
  remove(): Promise<void>;
}

/** An empty database on this PostgreSQL. */
export async function ownDatabase(
  server: string,
  name = `repo_intel_test_${randomUUID().replaceAll('-', '_')}`,
): Promise<OwnPlace> {
  const administer = async (statement: string) => {
    const postgres = new Postgres({ connectionString: server });
    await postgres.connect();
    await postgres.query(statement);
    await postgres.end();
  };
  await administer(`CREATE DATABASE ${name}`);
  return { url: at(server, name), remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A numbered database of this Redis, emptied: what uses the same runs one after the other. */
export async function ownRedis(server: string, database: number): Promise<OwnPlace> {
  const url = at(server, String(database));
  const empty = async () => {
    const redis = new Redis(url);
    await redis.flushdb();
    await redis.quit();
  };
  await empty();
  return { url, remove: empty };
}

/**
 * A PostgreSQL database and index names of their own, a numbered Redis database, and the whole of Neo4j, which has but one: what
 * uses it runs one after the other.
 */
export async function ownPlaces(server: (name: Engine) => string, redisDatabase: number): Promise<OwnPlaces> {
  const name = `repo_intel_test_${randomUUID().replaceAll('-', '_')}`;
  const indexPrefix = name.replaceAll('_', '-');
  const emptyNeo4j = async () => {
    const driver = neo4j.driver(server('neo4j'));
    const session = driver.session();
    await session.run('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS');
    await driver.close();
  };

  const [database, redis] = await Promise.all([
    ownDatabase(server('postgres'), name),
    ownRedis(server('redis'), redisDatabase),
    emptyNeo4j(),
  ]);
  return {
    urls: { neo4j: server('neo4j'), elasticsearch: server('elasticsearch'), postgres: database.url, redis: redis.url },
    indexPrefix,
    async remove() {
      await Promise.all([database.remove(), redis.remove(), emptyNeo4j()]);
      const elasticsearch = new Elasticsearch({ node: server('elasticsearch') });
      // By name: a cluster may forbid to delete by pattern.
      const indices = Object.keys(await elasticsearch.indices.get({ index: `${indexPrefix}*` }));
      for (const index of indices) await elasticsearch.indices.delete({ index });
      await elasticsearch.close();
    },
  };
}

const at = (url: string, path: string) => Object.assign(new URL(url), { pathname: `/${path}` }).href;
