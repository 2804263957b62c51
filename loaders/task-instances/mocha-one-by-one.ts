import { quoted, scopedCommand } from './scoped-command.ts';

/** Asks mocha itself for its settings and files, whose places in it moved with version 12. */
const ask = `
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const own = (name) => { try { return require('mocha/lib/cli/' + name); } catch { return require('mocha/lib/cli/' + name + '.cjs'); } };
const { _: specified = [], spec, config, package: manifest, ...settings } = own('options').loadOptions([]);
writeFileSync(process.argv[1], JSON.stringify(settings));
const list = (value) => [].concat(value ?? []);
const { ignore, file } = settings;
const found = own('collect-files')({ ...settings, ignore: list(ignore), file: list(file), spec: specified.length ? specified : ['./test'] });
for (const file of found.files ?? found) console.log(relative('', file));
`;

/**
 * Mocha ends when a file can't be loaded, and writes no report. This runs each file for itself, with a report in a folder of its
 * own; those without one are named in `$OUT/unloadable`. Null for a command that can't be told which files to run.
 */
export function mochaOneByOne(testCommand: string, files: readonly string[] | null): string | null {
  if (!/\{files[:}]/.test(testCommand)) return null;
  // Files that are named are added to those of the settings: these are left out.
  const command = scopedCommand(
    testCommand.replace(/\{files(:[^}]*)?\}/, '--no-package --config "$SETTINGS" "$FILE"'),
    null,
  );
  const list = files === null ? 'cat $OUT/listed' : `printf '%s\\n' ${files.map(quoted).join(' ')}`;
  return `
export SETTINGS=$OUT/settings.json
node -e ${quoted(ask)} "$SETTINGS" >$OUT/listed || exit 1
number=0
status=0
all=$OUT
while IFS= read -r FILE; do
  export FILE
  number=$((number + 1))
  export OUT=$all/$number
  mkdir "$OUT"
  (${command}) </dev/null || status=1
  [ -n "$(ls -A "$OUT")" ] || echo "$FILE" >>$all/unloadable
done <<< "$(${list})"
exit $status
`;
}
