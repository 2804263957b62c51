import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ProjectionIncomplete, StoreUnavailable } from '../../src/stores/errors.ts';
import { heal } from '../../src/stores/healing.ts';
import { setAsideName } from '../../src/stores/projection-file.ts';
import { connectTo, DamagedFile, openDatabase, setWhole } from '../../src/stores/sqlite.ts';
import { damageNames, damages } from '../support/damage.ts';

const schema = { version: 7, sql: 'CREATE TABLE words (word TEXT NOT NULL) STRICT' };
const words = Array.from({ length: 20_000 }, (_, i) => `word ${i}`);

/** An engine as small as can be. */
async function openWords({ file }: { file: string }) {
  const database = openDatabase(file, schema);
  return {
    fill: async () => {
      database.exec('BEGIN');
      const insert = database.prepare('INSERT INTO words VALUES (?)');
      for (const word of words) insert.run(word);
      database.exec('COMMIT');
    },
    count: async () => Number(database.prepare("SELECT count(*) AS n FROM words WHERE word LIKE 'w%'").get()?.['n']),
    setWhole: async (whole: boolean) => setWhole(database, schema, whole),
    abandon: async () => database.close(),
    close: async () => database.close(),
  };
}

describe('a projection that heals itself', () => {
  let folder: string;
  let file: string;
  let store: ReturnType<typeof open>;
  const open = (other = schema) => heal({ store: 'graph', file, schema: other, open: openWords });
  const filled = async () => {
    const made = open();
    await made.maintain((engine) => engine.fill());
    await made.close();
  };
  const count = () => store.ask((engine) => engine.count());
  const refused = async (question: Promise<unknown>) => {
    const answer = await question.catch((error: unknown) => error);
    expect(answer).instanceOf(ProjectionIncomplete);
    return answer as ProjectionIncomplete;
  };
  /** As whoever fills it does. */
  const complete = async () => {
    const { rebuilding } = store.healing;
    if (rebuilding === null) throw new Error('It is whole.');
    await store.maintain((engine) => engine.fill());
    await store.healing.complete(rebuilding);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'healing-'));
    file = join(folder, 'words.sqlite');
    await filled();
    store = open();
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('answers what is in a sound file, and sets nothing aside', async () => {
    expect(await count()).equals(words.length);
    expect(store.healing.rebuilding).equals(null);
    expect(existsSync(setAsideName(file))).equals(false);
  });

  for (const damage of damageNames.filter((name) => name !== 'deleted')) {
    it(`${damage} before it is opened: nothing is answered until a new file is whole, also after a restart`, async () => {
      damages[damage](file);
      const damaged = readFileSync(file);
      const told: (string | null)[] = [];
      store.healing.onRebuilding(({ setAside }) => told.push(setAside));
      await refused(count());
      expect(told).deep.equals([setAsideName(file)]);
      expect(readFileSync(setAsideName(file)).equals(damaged)).equals(true);
      await store.maintain((engine) => engine.fill());
      store.healing.advance(1, 3);
      expect((await refused(count())).message).contains('1 of 3 repositories');

      // A process ends here.
      await store.close();
      store = open();
      await refused(count());
      expect(store.healing.rebuilding?.reason).equals('it was not filled to the end');
      expect(await store.maintain((engine) => engine.count())).equals(words.length);
      await store.healing.complete(store.healing.rebuilding!);
      expect(await count()).equals(words.length);
      await store.close();
      store = open();
      expect(await count()).equals(words.length);
    });
  }

  const whileRunning = {
    ...damages,
    'replaced by another file': (path: string) => {
      writeFileSync(`${path}.other`, readFileSync(path));
      renameSync(`${path}.other`, path);
    },
  };
  for (const damage of ['cut to half', 'emptied', 'deleted', 'replaced by another file'] as const) {
    it(`${damage} while it is open: the next question notices`, async () => {
      expect(await count()).equals(words.length);
      whileRunning[damage](file);
      await refused(count());
      await complete();
      expect(await count()).equals(words.length);
    });
  }

  it('overwritten while it is open: an answer is what it was, or refused; and in the end it is whole', async () => {
    expect(await count()).equals(words.length);
    damages['overwritten in the middle'](file);
    // What was read before may still be in memory.
    connectTo(file, schema).close();
    const answer = await count().catch((error: unknown) => error);
    if (answer !== words.length) {
      expect(answer).instanceOf(ProjectionIncomplete);
      await complete();
    }
    expect(await count()).equals(words.length);
  });

  it('of an older or a newer release: says both versions, and is made anew', async () => {
    for (const version of [6, 8]) {
      await store.close();
      rmSync(file);
      openDatabase(file, { ...schema, version }).close();
      store = open();
      await refused(count());
      expect(store.healing.rebuilding?.reason).contains(`version ${version}`).and.contains('version 7');
      await complete();
      expect(await count()).equals(words.length);
    }
  });

  it('with what the engine itself can’t read: a question under way on the old file is refused, too', async () => {
    const running = Promise.withResolvers<void>();
    const slow = store.ask(async (engine) => {
      await running.promise;
      return engine.count();
    });
    await count();
    await refused(store.ask(() => Promise.reject(new DamagedFile('a row does not have its checksum'))));
    running.resolve();
    await refused(slow);
    const late = store.each(async function* () {
      yield 1;
    });
    await refused(late.next());
    await complete();
  });

  it('is not made anew for what is no damage', async () => {
    const error = new TypeError('a mistake of ours');
    expect(await store.ask(() => Promise.reject(error)).catch((thrown: unknown) => thrown)).equals(error);
    const wrong = await store
      .ask(async () => new DatabaseSync(':memory:').exec('SELEC'))
      .catch((thrown: unknown) => thrown);
    expect(wrong).instanceOf(Error).and.not.instanceOf(StoreUnavailable);
    expect(await count()).equals(words.length);
  });

  it('does again on the new file what may be done twice, and says so of the rest', async () => {
    let tries = 0;
    const fails = async () => {
      tries += 1;
      if (tries === 1) throw new DamagedFile('at the first try');
      return tries;
    };
    expect(await store.maintain(fails)).equals(2);
    tries = 0;
    await refused(store.maintainOnce(fails));
    expect(tries).equals(1);
  });

  it('keeps one file that was set aside, the last one', async () => {
    for (const content of ['first', 'second']) {
      await store.close();
      writeFileSync(file, content);
      store = open();
      await refused(count());
      await complete();
      expect(readFileSync(setAsideName(file), 'utf8')).equals(content);
    }
  });

  it('starts anew without looking at what is there', async () => {
    await store.close();
    let opened = 0;
    rmSync(file);
    await mkdir(file);
    store = heal({
      store: 'graph',
      file,
      schema,
      open: (options) => {
        opened += 1;
        return openWords(options);
      },
    });
    await store.healing.startAnew('that was asked for');
    expect(opened).equals(1);
    await refused(count());
    await complete();
    expect(await count()).equals(words.length);
  });

  it('is not whole for a fill that began before the last damage', async () => {
    damages.emptied(file);
    await refused(count());
    const before = store.healing.rebuilding!;
    damages.emptied(file);
    await store.maintain((engine) => engine.count());
    await store.healing.complete(before);
    await refused(count());
    await complete();
    expect(await count()).equals(words.length);
  });

  it('names the file and the way out where no new one can be made, and tries again at the next call', async () => {
    damages.emptied(file);
    // In the way of what is set aside, and not to be moved.
    await store.close();
    const blocked = join(folder, 'a file', 'words.sqlite');
    writeFileSync(join(folder, 'a file'), '');
    store = heal({ store: 'graph', file: blocked, schema, open: openWords });
    const error = await count().catch((thrown: unknown) => thrown);
    expect(error).instanceOf(StoreUnavailable);
    expect(((error as Error).cause as Error).message)
      .contains(blocked)
      .and.contains('writable');
    rmSync(join(folder, 'a file'));
    expect(await count()).equals(0);
  });
});
