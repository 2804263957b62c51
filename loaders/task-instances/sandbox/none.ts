import { unmounted, type Level } from './level.ts';

/** Nothing between the command and the machine but an environment of its own and a copy of the tree. */
export const none: Level = {
  isolation: 'none',
  ownMounts: false,
  inside: unmounted,
  reportsOn: 3,
  argv: ({ places, command, workspace }) => workspace(places, command),
};
