import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const languages = ['ts', 'py', 'go', 'java'] as const;

/** Writes a folder of so many files in four languages, always the same, whose classes and functions use each other. */
export function generateRepository(folder: string, files: number): void {
  for (let file = 0; file < files; file++) {
    const path = join(folder, pathOf(file));
    if (file % 40 === 0) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, sources[languageOf(file)](file, file % 40 === 0 ? file : file - 1, farFrom(file)));
  }
  writeFileSync(join(folder, 'go.mod'), 'module example.org/scale\n\ngo 1.24\n');
}

/** A file of the same language in another folder, where there is one before it. */
const farFrom = (file: number) => Math.max(file - 160 * (1 + (file % 3)), file % 160);

/** Forty files a folder, whose language changes from folder to folder; the nearest folder of the same language is four away. */
function placeOf(file: number): string {
  const folder = Math.floor(file / 40);
  return `${languages[folder % 4] ?? ''}/part${Math.floor(folder / 50)}/pack${folder}`;
}

function pathOf(file: number): string {
  const name = { ts: `file${file}.ts`, py: `file${file}.py`, go: `file${file}.go`, java: `Kind${file}.java` };
  return `${placeOf(file)}/${name[languageOf(file)]}`;
}

function languageOf(file: number): (typeof languages)[number] {
  return languages[Math.floor(file / 40) % 4] ?? 'ts';
}

/** A class with a base in a file of its folder and members of a class in another folder, functions, and calls of them. */
const sources: Readonly<Record<(typeof languages)[number], (file: number, near: number, far: number) => string>> = {
  ts: (file, near, far) => `${near === file ? '' : `import { Kind${near}, make${near} } from './file${near}';\n`}${
    far === file ? '' : `import { Kind${far} } from '${'../'.repeat(3)}${pathOf(far).slice(0, -3)}';\n`
  }
/** What file ${file} is about. */
export class Kind${file}${near === file ? '' : ` extends Kind${near}`} {
  private readonly other = new Kind${far}();
  private count = ${file};
  read${file}(step: number): number {
    if (step > this.count) return step${file}(step) + 1;
    return this.other.write${far}(step - 1, 'x');
  }
  write${file}(step: number, name: string): number {
    for (let at = 0; at < step; at++) this.count += this.read${file}(at);
    return this.count + name.length;
  }
}

export function make${file}(): Kind${file} {
  return ${near === file ? `new Kind${file}()` : `make${near}().read${near}(1) > 0 ? new Kind${file}() : new Kind${file}()`};
}

function step${file}(step: number): number {
  return make${file}().write${file}(step, 'y');
}
`,
  py: (file, near, far) => `import os
${[near, far]
  .filter((other) => other !== file)
  .map((other) => `from ${pathOf(other).slice(0, -3).replaceAll('/', '.')} import Kind${other}, make${other}\n`)
  .join('')}

class Kind${file}${near === file ? '' : `(Kind${near})`}:
    """What file ${file} is about."""

    def __init__(self, count=${file}):
        self.other = Kind${far}() if count else None
        self.count = count

    def read${file}(self, step: int) -> int:
        if step > self.count:
            return step${file}(step) + 1
        return self.other.write${far}(step - 1, "x")

    def write${file}(self, step: int, name: str) -> int:
        for at in range(step):
            self.count += self.read${file}(at)
        return self.count + len(name)


def make${file}() -> "Kind${file}":
    return Kind${file}(len(os.sep))


def step${file}(step):
    return make${file}().write${file}(step, "y")
`,
  go: (file, near, far) => {
    const place = placeOf(far);
    const isOther = place !== placeOf(file);
    const pack = isOther ? `${place.slice(place.lastIndexOf('/') + 1)}.` : '';
    return `package ${placeOf(file).slice(placeOf(file).lastIndexOf('/') + 1)}

${isOther ? `import "example.org/scale/${place}"\n` : ''}
// Kind${file} is what file ${file} is about.
type Kind${file} struct {
${near === file ? '' : `\tKind${near}\n`}\tOther *${pack}Kind${far}
\tCount int
}

func (k *Kind${file}) Read${file}(step int) int {
\tif step > k.Count {
\t\treturn step${file}(step) + 1
\t}
\treturn k.Other.Write${far}(step-1, "x")
}

func (k *Kind${file}) Write${file}(step int, name string) int {
\tfor at := 0; at < step; at++ {
\t\tk.Count += k.Read${file}(at)
\t}
\treturn k.Count + len(name)
}

func Make${file}() *Kind${file} {
\treturn &Kind${file}{Other: ${pack}Make${far}(), Count: ${file}}
}

func step${file}(step int) int {
\treturn Make${file}().Write${file}(step, "y")
}
`;
  },
  java: (file, near, far) => `package ${placeOf(file).replaceAll('/', '.')};

import java.util.List;
${placeOf(far) === placeOf(file) ? '' : `import ${placeOf(far).replaceAll('/', '.')}.Kind${far};\n`}
/** What file ${file} is about. */
public class Kind${file}${near === file ? '' : ` extends Kind${near}`} {
  private final Kind${far} other = Kind${far}.make${far}();
  private int count = ${file};

  public int read${file}(int step) {
    if (step > count) return step${file}(step) + 1;
    return other.write${far}(step - 1, "x");
  }

  public int write${file}(int step, String name) {
    for (int at = 0; at < step; at++) count += read${file}(at);
    return count + name.length() + List.of(name).size();
  }

  public static Kind${file} make${file}() {
    return new Kind${file}();
  }

  static int step${file}(int step) {
    return make${file}().write${file}(step, "y");
  }
}
`,
};
