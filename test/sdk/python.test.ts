import { join } from 'node:path';
import { expect } from 'chai';
import { idempotentPosts } from '../../sdk/typescript/src/retries.ts';
import { describeEmbedded } from '../support/service.ts';
import { operationsOf, sample } from '../suites/operations.ts';
import { onPython, python } from '../suites/python.ts';
import { openFlaky } from './flaky.ts';

const folder = join(import.meta.dirname, '../../sdk/python');

describeEmbedded('the SDK for Python', (service) => {
  onPython('openapi_python_client, httpx_retries, ruff', () => {
    let said: Record<string, unknown>;
    let operations: string[];
    let flaky: Awaited<ReturnType<typeof openFlaky>>;
    before(async function () {
      this.timeout(300_000);
      const made = await python([join(folder, 'build.py')], {});
      expect(made.status, made.output).equals(0);
      flaky = await openFlaky(service().port);
      const { json } = await service().get('/openapi.json');
      const paths = json['paths'] as Record<string, Record<string, { operationId: string }>>;
      const samples = Object.fromEntries(
        operationsOf(json)
          .filter(({ method }) => method === 'GET')
          .map(({ path, parameters }) => [
            paths[path]?.['get']?.operationId,
            Object.fromEntries(
              parameters
                .filter((each) => each.in === 'path' || (each.in === 'query' && each.required))
                .map(({ name, schema }) => [name === 'from' ? 'from_' : name, sample(schema)]),
            ),
          ]),
      );
      operations = Object.keys(samples);
      const key = (await service().createKey('sdk-python', 'owner')).api_key;
      const env = { SDK_URL: flaky.url, SDK_KEY: key, SDK_SAMPLES: JSON.stringify(samples) };
      const { status, output } = await python([join(import.meta.dirname, 'calls.py')], { env });
      expect(status, output).equals(0);
      said = JSON.parse(output) as typeof said;
    });
    after(() => flaky?.close());

    it('asks every operation that there is', () => {
      const every = said['every'] as Record<string, { kind: string; status?: number } | null>;
      expect(Object.keys(every).sort()).deep.equals(operations.toSorted());
      for (const [name, outcome] of Object.entries(every))
        if (outcome) expect(outcome.status, `${name}: ${outcome.kind}`).within(400, 499);
    });

    it('goes through all pages of a list, in an event loop as well', () => {
      const names = said['names'] as string[];
      expect(names)
        .lengthOf(Number(said['total']))
        .and.deep.equals([...new Set(names)]);
      expect(said['async']).deep.equals(names);
      const [seen, total] = said['graph'] as number[];
      expect(seen).equals(total).and.above(2);
      const [rows, distinct, all] = said['exported'] as number[];
      expect([rows, distinct]).deep.equals([all, all]);
      expect(rows).above(4);
    });

    it('raises an error of its kind, with what the service says', () => {
      expect(said['missing']).includes({ kind: 'NotFoundError', status: 404, code: 'repository_not_found' });
      expect(said['wrong']).includes({ kind: 'InvalidRequestError', status: 422 });
      expect((said['wrong'] as { errors: object[] }).errors[0]).includes({ in: 'query', name: 'page' });
      expect(said['unknown']).includes({ kind: 'AuthenticationError', status: 401 });
    });

    it('asks again what was refused or lost, and gives up in the end', () => {
      expect(said['again']).equals(said['total']);
      expect(said['tried']).deep.equals(['GET refuse', 'GET lose', 'GET pass']);
      const [error, tried] = said['gave_up'] as [object, string[]];
      expect(error).includes({ kind: 'ServiceError', status: 503, code: 'not_ready' });
      expect(tried).lengthOf(2);
    });

    it('asks once for what the service would do twice, and as often as it takes for what it does once', () => {
      expect(said['posted']).deep.equals(['POST lose', 'POST pass']);
      expect(said['reports']).equals(1);
      const [error, tried] = said['unsafe'] as [{ kind: string }, string[]];
      expect(error.kind).equals('RemoteProtocolError');
      expect(tried).deep.equals(['POST lose']);
      expect(said['refused']).deep.equals(['POST refuse', 'POST pass']);
      expect(said['once']).deep.equals(idempotentPosts);
    });
  });
});
