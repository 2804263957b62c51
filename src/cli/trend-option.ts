import { InvalidArgumentError, Option } from 'commander';
import { maxTrendPoints } from '../model/due-diligence.ts';

/** `--trend` and `--trend POINTS`: how many points of a history are measured as well. */
export function trendOption(): Option {
  return new Option(
    '--trend [points]',
    `with the first commit of each of the last quarters: so many points, 2 to ${maxTrendPoints}`,
  )
    .preset(maxTrendPoints)
    .argParser(readPoints);
}

function readPoints(text: string | number): number {
  const points = Number(text);
  if (!Number.isInteger(points) || points < 2 || points > maxTrendPoints)
    throw new InvalidArgumentError(`It is a whole number from 2 to ${maxTrendPoints}: --trend 12.`);
  return points;
}
