import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { analyze } from '../../loaders/analyze.ts';
import { detect } from '../../loaders/detectors/detect.ts';
import { measureFile } from '../../loaders/metrics/file-measures.ts';
import { withCpuTime } from './cpu-time.ts';
import { kinds } from './files-of-others.ts';
import { temporaryFolder } from './git-repository.ts';

/** Sources in which detectors look, with what makes them look. */
const sources: Record<string, { linguist: string; good: string }> = {
  'a.ts': {
    linguist: 'TypeScript',
    good: "import express from 'express';\nconst app = express();\napp.get('/a', list);\n",
  },
  'b.ts': {
    linguist: 'TypeScript',
    good: "import { pgTable } from 'drizzle-orm';\nconst a = pgTable('a', { id: 1 });\n",
  },
  'a.py': { linguist: 'Python', good: "from flask import Flask\napp = Flask()\n@app.route('/a')\ndef a(): pass\n" },
  'b.py': {
    linguist: 'Python',
    good: "from fastapi import APIRouter\nr = APIRouter(prefix='/b')\n@r.get('/a')\ndef a(): pass\n",
  },
  'urls.py': { linguist: 'Python', good: "from django.urls import path, include\nx = [path('a/', include('b'))]\n" },
  'models.py': { linguist: 'Python', good: "import sqlalchemy\nclass A(B):\n    __tablename__ = 'a'\n" },
  'a.go': {
    linguist: 'Go',
    good: 'import "github.com/go-chi/chi"\nfunc f() { r.Get("/a", list)\nr.Handle("/b", h) }\n',
  },
  'A.java': { linguist: 'Java', good: 'import org.springframework.x;\n@GetMapping("/a")\nclass A {}\n' },
  'A.cs': { linguist: 'C#', good: '[HttpGet("/a")]\nvar g = app.MapGroup("/b");\n' },
  'routes.rb': { linguist: 'Ruby', good: 'Rails.application.routes.draw do\n  resources :users do\n' },
  'a.php': { linguist: 'PHP', good: "<?php\nuse Illuminate\\A;\nRoute::get('/a', [A::class, 'b']);\n" },
  'a.rs': { linguist: 'Rust', good: 'use axum::Router;\nlet r = Router::new().route("/a", get(list));\n' },
};

/** Names under which a metric or a detector reads a file. */
export const names: readonly string[] = [
  ...Object.keys(kinds),
  'Gemfile',
  'a.gemspec',
  'a.csproj',
  ...Object.keys(sources),
];
const goodOf = (name: string): string =>
  kinds[name]?.good ??
  sources[name]?.good ??
  {
    Gemfile: "source 'x'\ngem 'a', '1'\n",
    'a.gemspec': "s.name = 'a'\n",
    'a.csproj': '<Project><PackageReference/></Project>',
  }[name] ??
  '';

export const fillingsPerName = 30;
const megabyte = 1_000_000;
const units = [
  '\n',
  ' ',
  '\t',
  '\r\n',
  ' \n',
  'a',
  '0',
  'a ',
  'a.',
  'a-',
  'A_',
  '0.',
  '/',
  '//',
  '/*',
  '\\',
  '#',
  '=',
  ':',
  ',',
  '-',
  '*',
  '"',
  "'",
  '`',
  '(',
  '[',
  '{',
  '<',
  '${',
  '{{',
  '<!--',
  '![',
  ')(',
  '@',
  '@a(',
  '|',
  '&',
  ';',
  '"\n',
  "'\n",
  '(\n',
  'a\n',
  'a = ',
  'a: ',
  '- ',
  '<a>',
  '[a](',
  '["',
  "['",
  '=>',
  '::',
  'class A',
  'import ',
  'http://',
  '--a ',
];

/** A seeded generator of numbers from 0 to 1: mulberry32. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What stands again and again behind the begin of a good file; the same for the same name and number. */
export function filling(name: string, number: number): { begin: string; unit: string } {
  const next = random(Buffer.from(`${name} ${number}`).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7));
  const good = goodOf(name);
  const parts = Array.from({ length: 1 + Math.floor(next() * 3) }, () =>
    next() < 0.25
      ? good.slice(Math.floor(next() * good.length)).slice(0, 12)
      : (units[Math.floor(next() * units.length)] ?? ''),
  );
  return { begin: good.slice(0, Math.floor(next() * good.length)), unit: parts.join('') || ' ' };
}

/** Whether doubling its size costs too much; null where it does not, otherwise what it cost. */
export async function superLinear(
  name: string,
  { begin, unit }: { begin: string; unit: string },
): Promise<string | null> {
  const costOf = async (size: number) => {
    const text = begin + unit.repeat(Math.ceil(size / unit.length));
    const { ms } = await withCpuTime(() => read(name, text));
    return ms;
  };
  const costs = await superLinearCosts(costOf);
  return costs && `${name}: ${JSON.stringify(begin.slice(-40))} and then ${JSON.stringify(unit)}: ${costs}`;
}

/** A machine that is busy with other things collects garbage at other times, by which the largest may cost what it did not before. */
const maxAttempts = 6;

/**
 * Whether doubling a size costs too much; null where it does not, otherwise what 1, 2 and 4 MB cost, in words. `costOf` tells the
 * milliseconds for so many bytes; null where the file was left out, and said so.
 */
export async function superLinearCosts(costOf: (bytes: number) => Promise<number | null>): Promise<string | null> {
  const empty = (await costOf(0)) ?? 0;
  let costs: number[] = [];
  // What else goes on in this process can only add to it: what is linear once is linear.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    costs = [];
    for (const size of [1, 2, 4]) {
      const ms = await costOf(size * megabyte);
      if (ms === null) break;
      costs.push(Math.max(0, ms - empty));
    }
    if (costs.every((whole, index) => index === 0 || isFine(costs[index - 1] ?? 0, whole))) return null;
  }
  return `1, 2, 4 MB cost ${costs.map((ms) => ms.toFixed(0)).join(', ')} ms`;
}

/** Under this, what is measured is mostly the analysis around it. */
const tellingMs = 400;
const isFine = (half: number, whole: number) => whole < tellingMs || whole <= 2.5 * Math.max(half, tellingMs / 2.5);

async function read(name: string, text: string): Promise<void> {
  const source = sources[name];
  if (source) {
    const file = { source: text, path: name, linguist: source.linguist };
    detect({ ...file, facts: null });
    measureFile({ ...file, tree: null });
    return;
  }
  const folder = temporaryFolder();
  try {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, dirname(name), basename(name)), text);
    writeFileSync(join(folder, 'a.c'), 'int x;\n');
    const { close } = await analyze(folder);
    close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
