import { expect } from 'chai';
import { unparsedLines } from '../../../loaders/extraction/unparsed-lines.ts';

describe('lines that could not be parsed', () => {
  const definitions = (...ranges: [number, number][]) =>
    ranges.map(([line, endLine]) => ({ name: 'f', line, endLine }));

  it('are those that the parser stepped over, but for what was found in them', () => {
    expect(unparsedLines([], definitions([1, 9]))).to.deep.equal([]);
    expect(unparsedLines([[3, 5]], definitions([1, 9]))).to.deep.equal([[3, 5]]);
    const found = definitions([1, 2], [5, 9], [6, 7], [12, 14], [19, 30]);
    expect(unparsedLines([[3, 20]], found).join(' ')).to.equal('3,4 10,11 15,20');
    expect(unparsedLines([[3, 5]], [{ name: '', line: 3, endLine: 5 }]).join(' ')).to.equal('3,5');
  });

  it('are in their order, and those that touch are one range', () => {
    const stepped = '7-8 1-2 3-4 8-8'.split(' ').map((range) => range.split('-').map(Number) as [number, number]);
    expect(unparsedLines(stepped, []).join(' ')).to.equal('1,4 7,8');
  });
});
