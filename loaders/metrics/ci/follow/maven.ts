import { posix } from 'node:path';
import { asScript } from './as-script.ts';
import type { Follower } from './follow.ts';
import { toolOf } from './wrappers.ts';

/** Maven without a goal has the one that its settings name. */
export const maven: Follower = ({ words, dir }, sources) => {
  if (!/^mvnw?$/.test(toolOf(words)) || words.slice(1).some((word) => !word.startsWith('-'))) return null;
  const path = posix.join(dir, 'pom.xml');
  const text = sources.paths.has(path) ? sources.text(path) : null;
  const goals = /<defaultGoal>([^<]{1,200})</.exec(text ?? '')?.[1];
  return goals === undefined ? null : [{ text: `${asScript(words)} ${goals}`, dir, via: `${path} defaultGoal` }];
};
