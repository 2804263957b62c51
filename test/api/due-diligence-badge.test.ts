import { expect } from 'chai';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import { gitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

describeService('GET /api/dd/executive/{repo}/badge.svg', (service: () => TestService) => {
  const name = 'dd-badge';
  const path = `/api/dd/executive/${name}/badge.svg`;

  before(async () => {
    using repository = gitRepository({ files: { 'a.py': 'def a():\n    return 1\n' } });
    const { snapshot } = await analyze(repository.path, { name });
    await shareWithAll(service().stores, [snapshot.repository.name]);
    await writeSnapshot(service().stores, snapshot);
  });
  after(() => removeRepository(service().stores, name));

  describe('200', () => {
    it('is a picture with the grade that the summary has, kept for as long as it stays the same', async () => {
      const { json } = await service().get(`/api/dd/executive/${name}`);
      const { grade, score } = json as { grade: string | null; score: number };
      const answer = await service().get(path);
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.equal('image/svg+xml; charset=utf-8');
      expect(XMLValidator.validate(answer.text)).to.equal(true);
      const { svg } = new XMLParser().parse(answer.text) as { svg: { title: string } };
      const says = grade === null ? 'not graded' : `${grade} ${Math.floor(score)}`;
      expect(svg.title).to.equal(`due diligence: ${says}`);
      const again = await service().get(path, { 'if-none-match': String(answer.headers['etag']) });
      expect(again.status).to.equal(304);
    });
  });

  describe('401', () => {
    it('without a key', async () => {
      expect((await service().send(path)).status).to.equal(401);
    });
  });

  describe('404', () => {
    it('of a repository without data', async () => {
      const answer = await service().get('/api/dd/executive/nobody/badge.svg');
      expect(answer.json).to.include({ status: 404, code: 'repository_not_found' });
    });
  });
});
