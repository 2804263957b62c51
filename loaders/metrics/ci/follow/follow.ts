import type { ScriptCommand } from '../shell-script.ts';
import { scriptCommands } from '../shell-script.ts';
import { innerCommand } from './wrappers.ts';
import { cmake } from './cmake.ts';
import { composer } from './composer.ts';
import { just } from './just.ts';
import { make } from './make.ts';
import { maven } from './maven.ts';
import { nox } from './nox.ts';
import { npmScripts } from './npm-scripts.ts';
import { rake } from './rake.ts';
import { shellFile } from './shell-file.ts';
import { tox } from './tox.ts';

/** What commands are looked up in: the repository's own files. */
export interface Sources {
  paths: ReadonlySet<string>;
  /** Of each folder. */
  text(path: string): string | null;
}

/** What a command leads to, as a script of its own. */
export interface Step {
  /** How it is called in a chain, where it is more than the command: a file, say. */
  via?: string;
  text: string;
  dir: string;
  errexit?: boolean;
  pipefail?: boolean;
  sourced?: boolean;
  variables?: ReadonlyMap<string, string>;
  /** Why its failure is nobody's, whatever the script says. */
  hidden?: string | null;
}

/** What a command of one kind leads to: nothing of it (null), nothing that runs (a reason), or scripts. */
export type Follower = (command: Command, sources: Sources) => readonly Step[] | { fails: string } | null;

/** The command that is followed. */
export interface Command {
  words: readonly string[];
  dir: string;
}

/** Where a chain ends. */
export interface Leaf {
  words: readonly string[];
  dir: string;
  /** False where the folder is only the best guess. */
  isDirKnown: boolean;
  /** From what CI says to what is run, each as one would type it. */
  chain: readonly string[];
  hidden: string | null;
}

const followers: readonly Follower[] = [npmScripts, make, just, tox, nox, rake, composer, cmake, maven, shellFile];
/** A chain is no longer, and no more commands come of one. */
const deepest = 12;
const maxLeaves = 500;
const maxWordLength = 100;

/** Follows a command through the repository's own scripts down to what it runs. What calls itself ends there. */
export function follow(command: ScriptCommand, sources: Sources): Leaf[] {
  const leaves: Leaf[] = [];
  descend(command, { sources, leaves, chain: [], seen: new Set(), isDirKnown: true, hidden: null });
  return leaves;
}

interface Way {
  sources: Sources;
  leaves: Leaf[];
  chain: readonly string[];
  seen: ReadonlySet<string>;
  isDirKnown: boolean;
  hidden: string | null;
}

function descend(command: Omit<ScriptCommand, 'line'>, way: Way): void {
  if (way.leaves.length >= maxLeaves) return;
  const shown = shorten(command.words.join(' '));
  const hidden = way.hidden ?? command.hidden;
  const isDirKnown = way.isDirKnown && command.isDirKnown;
  const inner = innerCommand(command.words, command.dir);
  const words = 'words' in inner ? inner.words : command.words;
  const dir = inner.dir ?? command.dir;
  const chain = [...way.chain, shown];
  const key = `${dir} ${words.join(' ')}`;
  if (chain.length > deepest || way.seen.has(key)) return;
  const seen = new Set([...way.seen, key]);
  const steps = 'script' in inner ? [inner.script] : stepsOf({ words, dir }, way.sources);
  if (steps === null) {
    way.leaves.push({ words, dir, isDirKnown, chain, hidden });
    return;
  }
  if ('fails' in steps) {
    way.leaves.push({ words, dir, isDirKnown, chain, hidden: hidden ?? steps.fails });
    return;
  }
  for (const step of steps) {
    if (!afford(way.sources, step.text.length + perStep)) return;
    const next = { ...way, chain: step.via === undefined ? chain : [...chain, step.via], seen, isDirKnown };
    for (const each of scriptCommands(step.text, { errexit: false, pipefail: false, isFollowed: true, ...step }))
      descend(each, { ...next, hidden: hidden ?? step.hidden ?? null });
  }
}

/** So many characters of scripts are followed in a repository, and a step counts as some more: fans of calls have no end otherwise. */
const maxFollowed = 2_000_000;
const perStep = 100;
const followed = new WeakMap<Sources, number>();

function afford(sources: Sources, characters: number): boolean {
  const spent = (followed.get(sources) ?? 0) + characters;
  followed.set(sources, spent);
  return spent <= maxFollowed;
}

const known = new WeakMap<Sources, Map<string, ReturnType<Follower>>>();

/** What a command leads to, looked up once for the same sources. */
function stepsOf(command: Command, sources: Sources): ReturnType<Follower> {
  let ofSources = known.get(sources);
  if (!ofSources) known.set(sources, (ofSources = new Map()));
  const key = JSON.stringify([command.dir, ...command.words]);
  let steps = ofSources.get(key);
  if (steps === undefined) ofSources.set(key, (steps = lookUp(command, sources)));
  return steps;
}

function lookUp(command: Command, sources: Sources): ReturnType<Follower> {
  for (const follower of followers) {
    const steps = follower(command, sources);
    if (steps !== null) return steps;
  }
  return null;
}

const shorten = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > maxWordLength ? `${line.slice(0, maxWordLength - 1)}…` : line;
};
