import { mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeRoom } from '../../../loaders/task-instances/make-room.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

describe('room in a folder', () => {
  let folder: string;
  const usedHoursAgo = (name: string, hours: number) =>
    utimesSync(join(folder, name), new Date(), new Date(Date.now() - hours * 3_600_000));
  beforeEach(() => {
    folder = temporaryFolder();
    writeFiles(folder, {
      'first.json': 'x'.repeat(40),
      'second/layer/deep/file': 'x'.repeat(40),
      'third.json': 'x'.repeat(40),
      'late/file': 'x'.repeat(40),
    });
    for (const [name, hours] of Object.entries({ 'first.json': 9, second: 8, 'third.json': 7, late: 0 }))
      usedHoursAgo(name, hours);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made by what was not used for longest, a file or a folder, and by no more than is needed', async () => {
    await makeRoom(folder, 160);
    expect(readdirSync(folder)).to.have.length(4);
    await makeRoom(folder, 90);
    expect(readdirSync(folder).toSorted()).to.deep.equal(['late', 'third.json']);
  });

  it('is not made by what was used lately, however large it is', async () => {
    await makeRoom(folder, 0);
    expect(readdirSync(folder)).to.deep.equal(['late']);
  });

  it('is made though something goes meanwhile, and in no folder at all', async () => {
    // Listed, and not there when it is looked at.
    writeFiles(folder, { gone: { symlink: join(folder, 'nothing') } });
    mkdirSync(join(folder, 'empty'));
    await makeRoom(folder, 90);
    expect(readdirSync(folder)).to.include.members(['late', 'third.json']).and.not.include('second');
    await makeRoom(join(folder, 'nothing'), 0);
  });
});
