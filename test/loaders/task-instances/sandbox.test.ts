import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { container } from '../../../loaders/task-instances/sandbox/container.ts';
import { openSandbox } from '../../../loaders/task-instances/sandbox/open-sandbox.ts';
import { SandboxError, type Sandbox, type SandboxRequest } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

/** In the command line of what must not live on. */
const marker = `sandbox-test-${process.pid}`;
const megabyte = 1024 ** 2;

for (const isolation of ['bwrap', 'unshare'] as const) {
  describe(`the sandbox of ${isolation}`, () => {
    let sandbox: Sandbox;
    let folder: string;
    let tree: string;
    const run = (command: string, more: Partial<SandboxRequest> = {}) =>
      sandbox.run({ command, tree, timeoutMs: 20_000, ...more });

    before(async function () {
      folder = temporaryFolder();
      tree = join(folder, 'tree');
      writeFiles(tree, { 'a.txt': 'as it was\n', 'reports/old.xml': 'from before' });
      try {
        sandbox = await openSandbox({ isolation, bytes: 64 * megabyte });
      } catch (error) {
        if (process.env['REQUIRE_ENGINES'] || !(error instanceof SandboxError)) throw error;
        this.skip();
      }
    });
    after(() => rmSync(folder, { recursive: true }));

    it('shows no package that the machine has installed but what makes environments and runs tests', async () => {
      const { log, exitCode } = await run(`
        python3 -c 'import site, sys
        print(*sys.path, *site.getsitepackages(), "/usr/lib/python3/dist-packages", sep="\\n")' | sed 's/^ *//' | sort -u | grep packages | xargs ls -d 2>/dev/null
        for folder in $(python3 -c 'import site; print(*site.getsitepackages())') /usr/lib/python3/dist-packages /usr/lib/node_modules; do
          ls "$folder" 2>/dev/null | sed 's/^/has /'
        done`);
      expect(exitCode).to.equal(0);
      const packages = [...log.matchAll(/^has (.*)$/gm)].map(([, name]) => name ?? '');
      expect(
        packages.filter((name) => /^(flask|requests|boto3|apt|yaml|PyYAML.*|typescript)$/i.test(name)),
      ).to.deep.equal([]);
      expect(packages.join(' ')).to.match(/\bpip\b/);
      const { log: version } = await run('python3 -m pip --version; npm --version');
      expect(version).to.match(/^pip \d.*\n\d+\.\d/);
    });

    it('shows nothing of the machine but its programs, and lets nothing of it be changed', async () => {
      const secret = `secret-${marker}`;
      const file = join(homedir(), `.${marker}`);
      writeFileSync(file, secret);
      process.env['SANDBOX_TEST_SECRET'] = secret;
      try {
        const { log, exitCode } = await run(`
          cat ${file} ~/.${marker} /proc/*/root${file} /proc/*/cwd/../${file} ${folder}/tree/a.txt
          env; cat /proc/*/environ | tr '\\0' '\\n'
          cat /etc/shadow; ls ${import.meta.dirname} /work /srv /var /run /sys; ls -A /home
          grep -c . /etc/passwd
          for path in /usr/bin/x /x /etc/x /dev/x /proc/sys/kernel/hostname "$(dirname "$(command -v python3)")/x"; do
            (echo x >$path) 2>/dev/null && echo "changed $path"
          done
          mount -t tmpfs none /mnt && echo "mounted"
          unshare --user --map-root-user true && echo "has new rights"
          grep -E '^(CapEff|CapPrm|NoNewPrivs|Seccomp)' /proc/self/status | tr -s '\\t' ' '
          id -u; echo oom $(cat /proc/self/oom_score_adj); ls /proc | grep -c '^[0-9]*$'
          echo the end`);
        expect(exitCode).to.equal(0);
        expect(log)
          .to.not.include(secret)
          .and.not.match(/changed|mounted|has new rights|as it was|root:/);
        expect(log).to.include('CapEff: 0000000000000000').and.include('CapPrm: 0000000000000000');
        expect(log).to.include('NoNewPrivs: 1').and.include('\n1000\noom 1000\n').and.include('\nsandbox\n');
        expect(log.endsWith('the end\n')).to.equal(true);
      } finally {
        rmSync(file);
        delete process.env['SANDBOX_TEST_SECRET'];
      }
    });

    it('has no network but its own loopback', async () => {
      const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
      try {
        await new Promise((resolve) => server.once('listening', resolve));
        const { port } = server.address() as AddressInfo;
        const { log } = await run(`
          (exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3)
          (exec 3<>/dev/tcp/192.0.2.1/80 && cat <&3)
          getent hosts example.org
          node -e "const s = require('net').createServer((c) => c.end('own loopback')).listen(0, '127.0.0.1', () =>
            require('net').connect(s.address().port).on('data', (d) => { console.log(String(d)); s.close(); }))"`);
        expect(log).to.not.include('reached').and.not.include('example.org');
        expect(log).to.include('unreachable').and.include('own loopback');
      } finally {
        server.close();
      }
    });

    it('ends what goes on in the background with the command, and all of it at the time limit', async () => {
      const left = await run(`setsid sleep 300.${process.pid} & (setsid setsid sleep 300.${process.pid} &) ; exit 3`);
      expect(left).to.include({ exitCode: 3, timedOut: false });
      const late = await run(`trap '' TERM INT HUP; setsid sleep 300.${process.pid} & sleep 300.${process.pid}`, {
        timeoutMs: 700,
      });
      expect(late).to.include({ exitCode: null, timedOut: true });
      expect(late.durationMs).to.be.within(700, 60_000);
      expect(await processesWith(`300.${process.pid}`)).to.deep.equal([]);
    });

    it('ends with who started it, however that ends', async () => {
      const module = join(import.meta.dirname, '../../../loaders/task-instances/sandbox/open-sandbox.ts');
      const script = `const { openSandbox } = await import(${JSON.stringify(module)});
        const sandbox = await openSandbox({ isolation: '${isolation}' });
        const command = 'setsid sleep 302.${process.pid} & sleep 302.${process.pid}';
        await sandbox.run({ command, tree: ${JSON.stringify(tree)}, timeoutMs: 60_000 });`;
      // Where its folder, which nobody then takes away, is taken away by this test.
      const own = join(folder, 'own');
      mkdirSync(own);
      chmodSync(folder, 0o755);
      const env = { ...process.env, TMPDIR: own };
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit', env });
      const sleeping = `sleep\u0000302.${process.pid}`;
      const started = async () => expect(await processesWith(sleeping, 0)).to.have.length(2);
      await eventually(started);
      child.kill('SIGKILL');
      expect(await processesWith(sleeping)).to.deep.equal([]);
      rmSync(own, { recursive: true });
    });

    it('has no keyring of the kernel, by which a run could tell later ones what it saw', async () => {
      // The session's keyring is the one of whoever started this program.
      const { log, exitCode } = await run(`python3 -c '
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
first = 248 if platform.machine() == "x86_64" else 217
for call in (
    lambda: libc.syscall(first, b"user", b"seen", b"the tests", 9, -3),
    lambda: libc.syscall(first + 1, b"user", b"seen", None, -3),
    lambda: libc.syscall(first + 2, 0, -3, 1),
):
    print(call(), os.strerror(ctypes.get_errno()))'`);
      expect(exitCode).to.equal(0);
      expect(log).to.equal('-1 Function not implemented\n'.repeat(3));
    });

    it('contains a fork bomb', async () => {
      const few = await run(
        `perl -e 'for (1..2000) { my $child = fork; if (!defined $child) { print "refused after $_\\n"; exit } if (!$child) { sleep 60; exit } }'`,
      );
      expect(Number(/refused after (\d+)/.exec(few.log)?.[1])).to.be.within(100, 512);
      const bomb = await run(`exec -a ${marker} perl -e 'fork while 1'`, { timeoutMs: 800 });
      expect(bomb.timedOut).to.equal(true);
      expect(await processesWith(marker)).to.deep.equal([]);
    });

    it('ends what takes more memory than it may, in one process, in many, or in files that are in no folder', async () => {
      const limited = await openSandbox({ isolation, bytes: 64 * megabyte, memoryBytes: 128 * megabyte });
      const hold = 'python3 -c "import time; held = bytearray(20 << 20); time.sleep(30)"';
      const attempts = {
        'one process': `perl -e '$held = "x" x (1 << 29); sleep 30'`,
        'many processes': `for n in 1 2 3 4 5 6 7 8 9; do ${hold} & done; wait`,
        'files in memory': `python3 -c "
import os, time
for name in range(6): os.write(os.memfd_create(str(name)), bytes(30 << 20))
time.sleep(30)"`,
      };
      for (const [name, command] of Object.entries(attempts)) {
        const result = await limited.run({ command, tree, timeoutMs: 25_000 });
        expect(result, name).to.include({ outOfMemory: true, timedOut: false, exitCode: null });
      }
      // What children share with their parent is there once.
      const shared = `python3 -c "
import os, time
held = bytearray(50 << 20)
for child in range(6):
    if os.fork() == 0: time.sleep(1); os._exit(0)
time.sleep(1.2); print('shared')"`;
      expect(await limited.run({ command: shared, tree, timeoutMs: 20_000 })).to.include({
        outOfMemory: false,
        log: 'shared\n',
      });
    });

    it('has no more processes than it is told, nor the processor for longer than the time limit', async () => {
      const few = await openSandbox({ isolation, processes: 40 });
      const { log } = await few.run({
        command: `perl -e 'for (1..100) { my $child = fork; if (!defined $child) { print "refused after $_\\n"; exit } if (!$child) { sleep 20; exit } }'`,
        tree,
        timeoutMs: 20_000,
      });
      expect(Number(/refused after (\d+)/.exec(log)?.[1])).to.be.within(10, 40);
      expect(await run('while :; do :; done', { timeoutMs: 500 })).to.include({ timedOut: true, exitCode: null });
    });

    it('limits all that is written together, and tells it as a failure of the machine', async () => {
      for (const place of ['.', '~', '$OUT', '/tmp', '/dev/shm']) {
        const error = await run(`cd ${place} && head -c 30M /dev/zero >a && head -c 300M /dev/zero >b; ls -l`).catch(
          (thrown: unknown) => thrown,
        );
        expect(error, place).to.be.instanceOf(SandboxError).with.property('code', 'out_of_space');
      }
      const inFiles = await run(
        `perl -e 'for (1..1100000) { open(my $f, ">", "/tmp/$_") or (print("refused"), exit) }'`,
        {
          timeoutMs: 1_500,
        },
      ).catch((thrown: unknown) => thrown);
      // Either there is no room for more files, or the time is up: what was made is gone in both cases.
      expect(inFiles).to.satisfy(
        (all: unknown) => all instanceof SandboxError || (all as { timedOut: boolean }).timedOut,
      );
      expect(readdirSync(folder)).to.deep.equal(['tree']);
    });

    it('reads only regular files as reports, only from where they belong, and none from before', async () => {
      const host = join(folder, 'host');
      writeFiles(host, { 'secret.xml': 'of the machine' });
      try {
        const { reports, exitCode } = await run(
          `echo good >$OUT/good.xml; mkdir $OUT/inner; echo good >$OUT/inner/good.xml
           ln -s ${host}/secret.xml $OUT/link.xml; ln -s /proc/self/environ $OUT/proc.xml; ln -s ${host} $OUT/linked
           mkfifo $OUT/pipe.xml; truncate -s 200M $OUT/sparse.xml; head -c 300M /dev/zero 2>/dev/null >/dev/null
           mkdir -p made/reports; echo good >made/reports/good.xml; ln -s ${host} linked; ln -s ${host} made/linked
           mkdir -p $'here/x\\nout/linked' $'here/x\\ntestbed/linked/reports'
           echo bad | tee $'here/x\\nout/linked/secret.xml' >$'here/x\\ntestbed/linked/reports/secret.xml'
           cp -r here/* $OUT/
           mv reports else; ln -s ${host} reports; echo bad >bad.xml
           true`,
          { reports: '**/reports/*.xml' },
        );
        expect(exitCode).to.equal(0);
        const odd = [...reports.keys()].filter((path) => path.includes('\n'));
        // Names of two lines, the second of which leads through a link.
        expect(odd.map((path) => String(reports.get(path)))).to.deep.equal(['bad\n', 'bad\n', 'bad\n']);
        expect([...reports.keys()].filter((path) => !odd.includes(path)).sort()).to.deep.equal([
          'out/good.xml',
          'out/inner/good.xml',
          'testbed/made/reports/good.xml',
        ]);
        const kept = join(host, 'steps');
        const into = await run('head -c 7000000 /dev/zero >$OUT/steps; echo good >$OUT/good.xml', {
          into: { 'out/steps': kept },
        });
        expect([...into.reports.keys(), statSync(kept).size]).to.deep.equal(['out/good.xml', 7_000_000]);
        const again = await run('cat reports/old.xml; true', { reports: 'reports/*.xml' });
        expect(again.reports.size).to.equal(0);
      } finally {
        rmSync(host, { recursive: true });
      }
    });

    it('ends a file that grows beyond 256 MiB', async () => {
      const large = await openSandbox({ isolation, bytes: 1024 * megabyte });
      const { log } = await large.run({
        command: `truncate -s 1G $OUT/r.xml; ls $OUT; stat -c %s $OUT/r.xml`,
        tree,
        timeoutMs: 10_000,
      });
      expect(log)
        .to.match(/too large|exceeded/i)
        .and.not.include(String(1024 ** 3));
    });

    it('runs on a copy: links out of the tree lead nowhere, and the tree stays as it was', async () => {
      const outside = join(folder, 'outside');
      const other = join(folder, 'other');
      mkdirSync(outside);
      writeFiles(other, {
        'a.txt': 'as it was\n',
        out: { symlink: outside },
        up: { symlink: '../../../../../..' + outside },
        'run.sh': { executable: '#!/bin/sh\necho ran\n' },
      });
      try {
        const { log } = await run('echo changed >a.txt; echo x >out/x; echo x >up/x; ./run.sh; cat a.txt', {
          tree: other,
        });
        expect(log).to.include('ran\nchanged\n');
        expect(readdirSync(outside)).to.deep.equal([]);
        expect(readFileSync(join(other, 'a.txt'), 'utf8')).to.equal('as it was\n');
        expect((await run('cat a.txt', { tree: other })).log).to.equal('as it was\n');
      } finally {
        for (const each of [outside, other]) rmSync(each, { recursive: true });
      }
    });

    it('keeps the two ends of what is printed, and the digest of all of it', async () => {
      const { log, logSha256 } = await run('head -c 5000000 /dev/zero | tr "\\0" x; echo the end >&2');
      expect(log.length).to.be.within(2 * megabyte, 2 * megabyte + 100);
      expect(log).to.match(/^x+\n… 2902856 bytes left out …\nx+the end\n$/);
      expect(logSha256).to.equal(
        createHash('sha256')
          .update(`${'x'.repeat(5_000_000)}the end\n`)
          .digest('hex'),
      );
    });

    it('lays what a run added under later ones, and never what the tree has', async () => {
      const keep = join(folder, 'keep');
      const setup = await run(
        'mkdir -p dependencies/empty dependencies/bin; echo one >dependencies/a; ln -s a dependencies/link; echo x >dependencies/bin/x; chmod 555 dependencies/bin/x dependencies/bin; echo changed >a.txt; echo home >~/.cache',
        { keep },
      );
      expect(setup.exitCode).to.equal(0);
      const use =
        'cat a.txt dependencies/link ~/.cache; ls dependencies; test -x dependencies/bin/x && echo yes; echo two >dependencies/a; echo new >dependencies/bin/y; rm -r dependencies/bin; cat dependencies/a';
      for (let time = 0; time < 2; time++)
        expect((await run(use, { layer: keep })).log).to.equal('as it was\none\nhome\na\nbin\nempty\nlink\nyes\ntwo\n');
      expect(existsSync(join(keep, 'tree/a.txt'))).to.equal(false);
      expect((await run('exit 1', { keep: join(folder, 'none') })).exitCode).to.equal(1);
      expect(existsSync(join(folder, 'none'))).to.equal(false);
    });

    it('is given up when it is told to', async () => {
      const controller = new AbortController();
      const running = run(`sleep 301.${process.pid}`, { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('given up')), 300);
      const error = await running.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Error).with.property('message', 'given up');
      expect(await processesWith(`301.${process.pid}`)).to.deep.equal([]);
    });
  });
}

describe('the sandbox of a machine', () => {
  it('is none only where that is accepted', async () => {
    const error = await openSandbox({ isolation: 'none' }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SandboxError).with.property('code', 'unavailable');
    expect((error as Error).message).to.include('--unsafe-no-sandbox');
    expect(await openSandbox({ isolation: 'none', unsafe: true })).to.have.property('isolation', 'none');
  });

  it('lets nobody have 3 GB, where nothing else is said', async () => {
    const sandbox = await openSandbox({ unsafe: true });
    expect(sandbox.limits).to.include({ memory_bytes: 2048 * megabyte, processes: 512 });
    const tree = temporaryFolder();
    try {
      const command = `perl -e '$held = "x" x (3 << 30); sleep 20'`;
      const { outOfMemory, exitCode } = await sandbox.run({ command, tree, timeoutMs: 30_000 });
      expect({ outOfMemory, exitCode }).to.deep.equal({ outOfMemory: true, exitCode: null });
    } finally {
      rmSync(tree, { recursive: true });
    }
  });

  it('without any isolation still has an environment, a copy and a time limit of its own', async () => {
    const sandbox = await openSandbox({ isolation: 'none', unsafe: true });
    const tree = temporaryFolder();
    try {
      writeFiles(tree, { 'a.txt': 'as it was\n' });
      process.env['SANDBOX_TEST_SECRET'] = 'secret';
      const { log, reports } = await sandbox.run({
        command: 'env; echo changed >a.txt; echo good >$OUT/r.xml',
        tree,
        timeoutMs: 10_000,
      });
      expect(log).to.include('OUT=').and.not.include('SECRET');
      expect([...reports.keys()]).to.deep.equal(['out/r.xml']);
      expect(readFileSync(join(tree, 'a.txt'), 'utf8')).to.equal('as it was\n');
      expect(await sandbox.run({ command: 'sleep 60', tree, timeoutMs: 300 })).to.include({ timedOut: true });
    } finally {
      delete process.env['SANDBOX_TEST_SECRET'];
      rmSync(tree, { recursive: true });
    }
  });

  it('says of one that does not start why, and takes that for no result', async () => {
    const sandbox = await openSandbox({ isolation: 'none', unsafe: true });
    const error = await sandbox
      .run({ command: 'true', tree: '/does/not/exist', timeoutMs: 10_000 })
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SandboxError).with.property('code', 'not_started');
    expect((error as Error).message).to.include('/does/not/exist');
  });

  it('is a container without network, rights or anything to write to but its own memory, where an image is named', () => {
    const argv = container('podman', 'example/image:1', '1000:1000').argv({
      places: { base: '/tmp/run-1', tree: '/host/tree', layer: '/host/layer', keep: null },
      command: ['bash', '-c', 'true'],
      seen: [],
      network: 'none',
      proxy: null,
      limits: { memory_bytes: 2_000, processes: 512, enforced_by: 'container' },
      as: [],
      bytes: 1_000,
      filtered: false,
      workspace: (places, command) => ['sh', 'workspace', places.base, places.tree, String(places.layer), ...command],
    });
    expect(argv.join(' ')).to.equal(
      'podman run --rm --interactive --pull never --network none --read-only --cap-drop ALL --security-opt no-new-privileges ' +
        '--user 1000:1000 --pids-limit 512 --memory 3000 --memory-swap 3000 --name run-1 --hostname sandbox --log-driver none ' +
        '--tmpfs /run/base:rw,exec,nosuid,nodev,size=1000,mode=1777 --volume /host/tree:/run/tree:ro ' +
        '--volume /host/layer:/run/layer:ro --entrypoint sh example/image:1 ' +
        'workspace /run/base /run/tree /run/layer bash -c true',
    );
  });

  it('is done with a program in place of docker: reports by the one stream, what is printed by the other', async () => {
    const folder = temporaryFolder();
    const program = join(folder, 'docker');
    writeFiles(folder, { docker: { executable: fakeDocker }, 'tree/a.txt': 'a\n' });
    try {
      const sandbox = await openSandbox({ container: { program, image: 'example/image:1' } });
      const request = { tree: join(folder, 'tree'), timeoutMs: 10_000 };
      const { log, reports, exitCode } = await sandbox.run({
        ...request,
        command: 'echo out; cat a.txt >$OUT/r.xml; exit 4',
      });
      expect({ log, exitCode }).to.deep.equal({ log: 'out\n', exitCode: 4 });
      expect(reports.get('out/r.xml')?.toString()).to.equal('a\n');
      expect(await sandbox.run({ ...request, command: 'sleep 60', timeoutMs: 1_000 })).to.include({ timedOut: true });
      const killed = () => readFile(`${program}.killed`, 'utf8');
      expect(await eventually(killed)).to.match(/^repo-intel-run-\w+$/);
      writeFiles(folder, { docker: { executable: '#!/bin/sh\necho no daemon >&2\nexit 125\n' } });
      const error = await sandbox.run({ ...request, command: 'true' }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SandboxError).with.property('code', 'not_started');
      expect((error as Error).message).to.include('no daemon');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Runs what a container would, as its PID 1 and without rights, with the folders that it would have mounted, on this machine. */
const fakeDocker = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'kill') return writeFileSync(process.argv[1] + '.killed', args[1]);
const at = args.indexOf('--entrypoint');
const base = mkdtempSync('/tmp/repo-intel-docker-');
const [tree] = args[args.indexOf('--volume') + 1].split(':');
const rest = args.slice(at + 3).map((each) => each.replaceAll('/run/base', base).replaceAll('/run/tree', tree));
const user = process.getuid() === 0 ? '' : '--user --map-root-user ';
const apart = ('unshare ' + user + '--pid --fork --kill-child --mount-proc -- setpriv --bounding-set=-all --inh-caps=-all').split(' ');
const { status } = spawnSync(apart[0], [...apart.slice(1), args[at + 1], ...rest], { stdio: 'inherit' });
rmSync(base, { recursive: true });
process.exit(status);
`;

/** Ids of processes with this in their command line; they have a minute to go. */
async function processesWith(text: string, times = 1_200): Promise<string[]> {
  for (let time = 0; ; time++) {
    const found = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && commandLine(id).includes(text));
    if (found.length === 0 || time === times) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
