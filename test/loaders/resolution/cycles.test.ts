import { expect } from 'chai';
import { Cycles } from '../../../loaders/resolution/cycles.ts';

const unknown: readonly string[] = [];

/** Questions that lead to questions: the answer to each is what those it leads to answer, and its own name where it is a leaf. */
function ask(cycles: Cycles, leadsTo: Readonly<Record<string, readonly string[]>>) {
  const memory = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const answer = (name: string): readonly string[] =>
    cycles.remember(memory, name, unknown, () => {
      asked.push(name);
      const found = (leadsTo[name] ?? []).flatMap(answer);
      return leadsTo[name] ? (found.length > 0 ? found : unknown) : [name];
    });
  return { answer, memory, asked };
}

describe('Cycles', () => {
  it('answers each question once', () => {
    const { answer, asked } = ask(new Cycles(), { a: ['b', 'b'] });
    expect(answer('a')).to.deep.equal(['b', 'b']);
    expect(answer('a')).to.deep.equal(['b', 'b']);
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('ends a circle, and keeps what is known in it', () => {
    const { answer } = ask(new Cycles(), { a: ['b', 'leaf'], b: ['a'] });
    expect(answer('a')).to.deep.equal(['leaf']);
  });

  it('forgets an empty answer that rests on an open question, as more is known from elsewhere in the circle', () => {
    const { answer, memory } = ask(new Cycles(), { a: ['b', 'leaf'], b: ['a'] });
    answer('a');
    expect(memory.has('b')).to.equal(false);
    expect(answer('b')).to.deep.equal(['leaf']);
  });

  it('forgets likewise an answer of several kinds of values that are all none', () => {
    const cycles = new Cycles();
    const memory = new Map<string, { value: readonly string[]; type: readonly string[] }>();
    const none = { value: [], type: [] };
    const inner = (key: string, type: string[]) =>
      cycles.remember(memory, key, none, () => {
        cycles.remember(memory, 'outer', none, () => none);
        return { value: [], type };
      });
    cycles.remember(memory, 'outer', none, () => {
      inner('nothing', []);
      inner('something', ['A']);
      return { value: ['leaf'], type: [] };
    });
    expect([...memory.keys()]).to.deep.equal(['outer', 'something']);
  });

  it('keeps an empty answer that rests on no open question', () => {
    const { answer, memory, asked } = ask(new Cycles(), { a: ['nothing', 'nothing'], nothing: [] });
    answer('a');
    expect(memory.has('nothing')).to.equal(true);
    expect(asked).to.deep.equal(['a', 'nothing']);
  });

  it('ends what is too deep, says so, and forgets it', () => {
    const cycles = new Cycles();
    const cuts: string[] = [];
    cycles.onCut = (why) => cuts.push(why);
    const chain = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}`, [`${index + 1}`]]));
    const { answer } = ask(cycles, chain);
    expect(answer('0')).to.deep.equal([]);
    expect(cuts).to.deep.equal(['depth']);
    expect(cycles.depth).to.equal(0);
    expect(answer('150')).to.deep.equal(['200']);
  });

  it('leaves nothing open when an answer fails', () => {
    const cycles = new Cycles();
    const memory = new Map<string, readonly string[]>();
    const fail = () => {
      throw new Error('broken');
    };
    expect(() => cycles.remember(memory, 'a', unknown, fail)).to.throw('broken');
    expect(cycles.depth).to.equal(0);
  });
});
