import { stderr, stdout } from 'node:process';
import { styleText } from 'node:util';
import { MultiBar, Presets } from 'cli-progress';
import type { Progress } from '../../loaders/progress.ts';
import { plain, plainLines } from '../model/plain.ts';

/** Where a command speaks: data to `out` (stdout), words to `say` (stderr), long work to `progress`. */
export interface Io {
  out(text: string): void | Promise<void>;
  say(text: string): void;
  progress(progress: Progress): void;
  /** Ends what is drawn, so that words can follow. */
  done(): void;
}

/** A line of a table for stdout, its cells divided by tabs. */
export const tableRow = (...cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => plain(String(cell))).join('\t')}\n`;

/** A text for stdout in a style, where that is a terminal which shows it (NO_COLOR and FORCE_COLOR are heeded). */
export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: stdout });

/** The terminal: a bar a repository where stderr is one, a line a phase where it is not. */
export function terminalIo(): Io {
  const bars = new Map<string, ReturnType<MultiBar['create']>>();
  const phases = new Map<string, Set<string>>();
  let multi: MultiBar | null = null;
  const done = () => {
    multi?.stop();
    multi = null;
    bars.clear();
  };
  // A reader that has enough (`| head`) ends the command; words that nobody reads end nothing.
  stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
    stderr.write(`repo-intel: stdout: ${error.message}\n`);
    process.exit(1);
  });
  stderr.on('error', () => {});
  return {
    out(text) {
      if (stdout.write(text)) return;
      return new Promise<void>((resolve) => stdout.once('drain', resolve));
    },
    say(words) {
      // Names, paths and errors among them are not ours.
      const text = plainLines(words);
      if (multi) multi.log(`${text}\n`);
      else stderr.write(`${text}\n`);
    },
    progress({ repository: name, phase, done: value, total, detail: words = '' }) {
      const [repository, detail] = [plain(name), plain(words)];
      if (!stderr.isTTY) {
        if (phase === 'done') {
          phases.delete(repository);
          return;
        }
        // Phases overlap: history is read while files are parsed.
        const said = phases.get(repository) ?? new Set();
        phases.set(repository, said);
        if (!said.has(phase)) stderr.write(`${repository}: ${phase}\n`);
        said.add(phase);
        return;
      }
      multi ??= new MultiBar(
        {
          format: ' {bar} {percentage}% {repository}: {phase} {value}/{total} {detail}',
          hideCursor: true,
          clearOnComplete: true,
          stream: stderr,
        },
        Presets.shades_classic,
      );
      let bar = bars.get(repository);
      if (!bar) {
        bar = multi.create(Math.max(1, total), 0, { repository, phase, detail });
        bars.set(repository, bar);
      }
      bar.setTotal(Math.max(1, total));
      bar.update(value, { repository, phase, detail });
      if (phase === 'done') {
        multi.remove(bar);
        bars.delete(repository);
      }
    },
    done,
  };
}
