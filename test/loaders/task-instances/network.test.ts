import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { hostKey, namedHost } from '../../../loaders/task-instances/network/allowed-hosts.ts';
import { startRegistryProxy } from '../../../loaders/task-instances/network/registry-proxy.ts';
import { isPublicAddress } from '../../../src/operations/public-address.ts';
import { openSandbox } from '../../../loaders/task-instances/sandbox/open-sandbox.ts';
import { SandboxError, type Sandbox, type SandboxNetwork } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import { openAdminServer } from '../../../src/operations/admin-server.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

/**
 * Tries, by every way that a setup could think of, to write to a Redis and to read an admin port, and prints what answers. In
 * JavaScript for any Node, as it is the sandbox's.
 */
const attack = `
const net = require('node:net');
const [targets, sockets] = JSON.parse(process.argv[2]);
const proxies = [{ host: '127.0.0.1', port: 3128 }, { path: '/run/proxy/socket' }];
const say = (where, options, text) => new Promise((done) => {
  const socket = net.connect(options);
  let heard = '';
  socket.setTimeout(5000, () => socket.destroy());
  socket.on('error', () => {}).on('close', () => {
    if (/PONG|OK|"status"|http_requests/.test(heard.replace(/^HTTP\\/1.1 403[^]*/, ''))) console.log('REACHED ' + where);
    if (/ 403 /.test(heard)) console.log('refused ' + where);
    done();
  });
  socket.on('data', (data) => { heard += data; if (heard.length < 200 && / 200 Connection/.test(heard)) socket.write(text); else setTimeout(() => socket.destroy(), 100); });
  if (text) socket.on('connect', () => socket.write(options.first || text));
});
(async () => {
  const work = [];
  for (const { host, port, text } of targets) {
    const authority = host.includes(':') ? '[' + host + ']:' + port : host + ':' + port;
    work.push(say('directly ' + authority, { host, port }, text));
    for (const [index, proxy] of proxies.entries()) {
      const connect = 'CONNECT ' + authority + ' HTTP/1.1\\r\\nHost: ' + authority + '\\r\\n\\r\\n';
      work.push(say('by CONNECT ' + index + ' ' + authority, { ...proxy, first: connect }, text));
      const get = 'GET http://' + authority + '/health HTTP/1.1\\r\\nHost: registry.example\\r\\nConnection: close\\r\\n\\r\\n';
      work.push(say('by GET ' + index + ' ' + authority, { ...proxy, first: get }, get));
    }
  }
  for (const path of sockets) work.push(say('by socket ' + JSON.stringify(path), { path }, 'SET hacked yes\\r\\nPING\\r\\n'));
  await Promise.all(work);
  console.log('the end');
})();
`;

/** Names that the resolver of the proxy makes up: who owns a name decides where it leads. */
const owned: Readonly<Record<string, string[]>> = {
  'rebound.example': ['127.0.0.1'],
  'mixed.example': ['203.0.113.9', '10.0.0.1', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
};

for (const isolation of ['bwrap', 'unshare'] as const) {
  describe(`the network of a setup in ${isolation}`, function () {
    this.timeout(120_000);
    let folder: string;
    let tree: string;
    let redisPort: number;
    let redisServer: ChildProcess;
    let redis: Redis;
    let abstract: Server;
    let abstractCalls = 0;
    let admin: Awaited<ReturnType<typeof openAdminServer>>;
    let adminCalls = 0;
    let registry: Server;
    let registryPort: number;
    let sandbox: Sandbox;
    const abstractName = `repo-intel-network-test-${process.pid}-${isolation}`;

    before(async function () {
      folder = temporaryFolder();
      tree = join(folder, 'tree');
      writeFiles(tree, { 'attack.cjs': attack, 'package.json': '{"name":"victim"}' });
      try {
        execFileSync('redis-server', ['--version']);
      } catch (error) {
        if (process.env['REQUIRE_ENGINES']) throw error;
        this.skip();
      }
      redisPort = await freePort();
      const settings = ['--port', String(redisPort), '--bind', '*', '-::*', '--protected-mode', 'no', '--save', ''];
      redisServer = spawn('redis-server', [...settings, '--unixsocket', join(folder, 'redis.sock'), '--dir', folder], {
        stdio: 'ignore',
      });
      redis = new Redis(redisPort, '127.0.0.1');
      redis.on('error', () => {});
      await eventually(() => redis.ping());
      abstract = createServer((socket) => {
        abstractCalls++;
        // Whoever called is gone before it is answered.
        socket.on('error', () => {}).end();
      }).listen(`\0${abstractName}`);
      const called = <T>(value: T) => Promise.resolve(value).finally(() => adminCalls++);
      admin = await openAdminServer(
        { host: '0.0.0.0', port: 0 },
        {
          metrics: { text: () => called('http_requests_total 1'), contentType: 'text/plain' },
          health: () => called({ status: 'ok' } as never),
          isOwn: () => true,
        },
      );
      registry = createHttpServer((request, response) => {
        if (request.url === '/elsewhere') {
          response.writeHead(302, { location: `http://127.0.0.1:${admin.port}/health` }).end();
          return;
        }
        const versions = { '7.8.9': { name: 'thing', version: '7.8.9', dist: { tarball: 'x', shasum: 'x' } } };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ name: 'thing', 'dist-tags': { latest: '7.8.9' }, versions }));
      }).listen(0, '127.0.0.1');
      await once(registry, 'listening');
      registryPort = (registry.address() as AddressInfo).port;
      const before = process.env['NPM_CONFIG_REGISTRY'];
      process.env['NPM_CONFIG_REGISTRY'] = `http://user:password@127.0.0.1:${registryPort}/`;
      try {
        sandbox = await openSandbox({
          isolation,
          allowedHosts: Object.keys(owned).flatMap((name) => [`${name}:${redisPort}`, `${name}:${admin.port}`]),
          resolve: async (name) =>
            (owned[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        });
        // Asks the tools for their registries, as long as the variable is there.
        await run('true', 'proxy');
      } catch (error) {
        if (process.env['REQUIRE_ENGINES'] || !(error instanceof SandboxError)) throw error;
        this.skip();
      } finally {
        if (before === undefined) delete process.env['NPM_CONFIG_REGISTRY'];
        else process.env['NPM_CONFIG_REGISTRY'] = before;
      }
    });
    after(async () => {
      redis?.disconnect();
      abstract?.close();
      registry?.close();
      await admin?.close();
      if (redisServer) {
        const ended = once(redisServer, 'exit');
        redisServer.kill();
        await ended;
      }
      rmSync(folder, { recursive: true });
    });

    const run = (command: string, network: SandboxNetwork) =>
      sandbox.run({ command, tree, network, timeoutMs: 60_000 });
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1]);
    const state = async () => ({
      connections: await connections(),
      keys: await redis.dbsize(),
      adminCalls,
      abstractCalls,
    });
    const attacks = (): string => {
      const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
      const forms = ['localhost', '127.0.0.1', '127.1', '0.0.0.0', '2130706433', '0x7f000001', '0177.0.0.1', '::1'];
      const more = ['::ffff:127.0.0.1', 'user@127.0.0.1', 'localhost.', ...Object.keys(owned)];
      const linkLocal = own.filter((address) => address.startsWith('fe80'));
      const hosts = new Set([...forms, ...more, ...own.filter((address) => !linkLocal.includes(address))]);
      const targets = [...hosts].flatMap((host) => [
        { host, port: redisPort, text: 'SET hacked yes\r\nPING\r\n' },
        { host, port: admin.port, text: 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
      ]);
      targets.push({ host: '169.254.169.254', port: 80, text: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' });
      const script = JSON.stringify([targets, [join(folder, 'redis.sock')]]).replaceAll("'", '');
      return `node attack.cjs '${script}'
        for host in 127.0.0.1 localhost 0.0.0.0 ${own.find((address) => /^[\d.]+$/.test(address) && !address.startsWith('127.'))}; do
          (exec 3<>/dev/tcp/$host/${redisPort} && printf 'SET hacked yes\\r\\n' >&3 && head -c 5 <&3 && echo "REACHED by bash $host") 2>/dev/null
          (exec 3<>/dev/tcp/$host/${admin.port} && echo "REACHED by bash $host") 2>/dev/null
        done
        perl -MIO::Socket::UNIX -e 'print "REACHED by abstract socket\\n" if IO::Socket::UNIX->new(Peer => "\\0${abstractName}")'
        true`;
    };

    it('reaches neither a Redis nor an admin port of the machine, by any address, name, number or socket', async () => {
      const before = await state();
      const { log, exitCode, network, refused } = await run(attacks(), 'proxy');
      expect(log).to.include('the end').and.not.include('REACHED');
      expect({ exitCode, network }).to.deep.equal({ exitCode: 0, network: 'proxy' });
      expect(await state()).to.deep.equal(before);
      // The proxy was there and said no, also to names that it knows.
      for (const host of [`127.0.0.1:${redisPort}`, `[::1]:${admin.port}`, `rebound.example:${redisPort}`])
        for (const way of ['CONNECT 0', 'CONNECT 1', 'GET 0']) expect(log).to.include(`refused by ${way} ${host}`);
      expect(refused).to.have.length(20);
      expect(
        (await run(`node attack.cjs '[[{"host":"mixed.example","port":${redisPort},"text":"PING"}],[]]'`, 'proxy'))
          .refused,
      ).to.deep.equal([`mixed.example:${redisPort} (its name leads to this machine or to a private network)`]);
    });

    it('reaches all of it with the network of the machine, so that what was tried is worth something', async () => {
      const before = await state();
      const { log, network } = await run(attacks(), 'host');
      expect(network).to.equal('host');
      expect(log).to.include(`REACHED directly 127.0.0.1:${redisPort}`).and.include('REACHED by bash 127.0.0.1');
      expect(log).to.include(`REACHED directly 127.0.0.1:${admin.port}`).and.include('REACHED by abstract socket');
      const after = await state();
      expect(after.abstractCalls).to.equal(1);
      expect(after.keys).to.equal(1);
      expect(after.connections).to.be.above(before.connections);
      expect(after.adminCalls).to.be.above(before.adminCalls);
      await redis.flushall();
    });

    it('reaches nothing without one, and shows no socket of the machine with the proxy', async () => {
      const before = await state();
      const none = await run(attacks(), 'none');
      expect(none.log).to.include('the end').and.not.include('REACHED');
      expect(none.network).to.equal('none');
      expect(await state()).to.deep.equal(before);
      // What listens on this machine, by name, and whatever lies where sockets lie: not the whole disk, which may take minutes.
      const listening = new Set(readFileSync('/proc/net/unix', 'utf8').match(/(?<= )\/.*$/gm));
      expect([...listening]).to.include(join(folder, 'redis.sock'));
      const { log } = await run(
        `for path in ${[...listening].map((path) => `'${path}'`).join(' ')}; do [ -S "$path" ] && echo "$path"; done
        find /run/ /tmp/ /dev/ /var/run/ /var/tmp/ -type s 2>/dev/null; ls /sys/class/net; echo the end`,
        'proxy',
      );
      expect(log).to.include('the end');
      expect(new Set(log.split('\n').filter((line) => line.startsWith('/')))).to.deep.equal(
        new Set(['/run/proxy/socket']),
      );
      expect(log).to.not.match(/eth|wlan|docker/);
    });

    it('has the registry that npm of this machine is configured for, without its password, and not where that sends it', async () => {
      const before = await state();
      const { log } = await run('env | grep -i registry; npm view thing version --loglevel=error', 'proxy');
      expect(log).to.include(`npm_config_registry=http://127.0.0.1:${registryPort}/\n`).and.include('7.8.9');
      expect(log).to.not.include('password');
      const elsewhere = await run('npm view elsewhere version --fetch-retries=0', 'proxy');
      expect(elsewhere.exitCode).to.not.equal(0);
      expect(elsewhere.refused).to.deep.equal([
        `127.0.0.1:${admin.port} (no registry that is allowed, see --allow-host)`,
      ]);
      expect(await state()).to.deep.equal(before);
    });
  });
}

describe('the proxy of setups', () => {
  /** A proxy to one slow name, and what asks it and goes away at once or once it is asked further. */
  const proxied = async (
    work: (ask: (text: string, leave: Promise<unknown>) => Promise<void>, turn: Turn) => Promise<void>,
  ) => {
    const turn: Turn = {
      asked: Promise.withResolvers(),
      answered: Promise.withResolvers(),
      connected: Promise.withResolvers(),
    };
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('data', () => socket.resetAndDestroy());
      turn.connected.resolve(null);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const allowed = new Map([[hostKey('slow.example', port), { trusted: true }]]);
    const proxy = await startRegistryProxy(allowed, async () => {
      turn.asked.resolve(null);
      await turn.answered.promise;
      return [{ address: '127.0.0.1', family: 4 }];
    });
    const ask = async (text: string, leave: Promise<unknown>) => {
      const client = connect(join(proxy.folder, 'socket'));
      client.on('error', () => {});
      client.write(text.replaceAll('PORT', String(port)));
      await leave;
      const closed = once(client, 'close');
      client.destroy();
      await closed;
    };
    try {
      await work(ask, turn);
      // It still answers: a name that it does not hand on to.
      const still = connect(join(proxy.folder, 'socket'));
      still.write('GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n');
      const [answer] = (await once(still, 'data')) as [Buffer];
      expect(answer.toString()).to.include('403 Forbidden');
      still.destroy();
    } finally {
      await proxy.close();
      server.close();
    }
  };
  interface Turn {
    asked: PromiseWithResolvers<null>;
    answered: PromiseWithResolvers<null>;
    connected: PromiseWithResolvers<null>;
  }
  const ways = {
    CONNECT: 'CONNECT slow.example:PORT HTTP/1.1\r\nHost: slow.example\r\n\r\nhello',
    GET: 'GET http://slow.example:PORT/ HTTP/1.1\r\nHost: slow.example\r\n\r\n',
  };
  for (const [way, text] of Object.entries(ways)) {
    it(`${way}: goes on where who asks is gone before the name is known`, () =>
      proxied(async (ask, turn) => {
        await ask(text, turn.asked.promise);
        turn.answered.resolve(null);
        await setTimeout(50);
      }));

    it(`${way}: goes on where who asks is gone once it is connected`, () =>
      proxied(async (ask, turn) => {
        turn.answered.resolve(null);
        for (let time = 0; time < 20; time++)
          await ask(text, time % 2 === 0 ? turn.connected.promise : turn.asked.promise);
        await setTimeout(50);
      }));
  }
});

describe('addresses and hosts of setups', () => {
  it('tells the internet’s addresses from those of machines and private networks, in all clothes', () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
    const inside = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254'];
    const more = ['100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '168.63.129.16', 'no address', ''];
    const six = ['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1'];
    const others = ['2002:7f00:1::', '2001:0:1::', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1', 'ff02::1'];
    for (const address of [...inside, ...more, ...six, ...others, ...own])
      expect(isPublicAddress(address), address).to.equal(false);
    for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::1.1.1.1', '::ffff:1.1.1.1'])
      expect(isPublicAddress(address), address).to.equal(true);
  });

  it('takes a host with or without its port, and nothing more', () => {
    expect(namedHost('Example.com')).to.deep.equal(['example.com:443', 'example.com:80']);
    expect(namedHost('example.com:80')).to.deep.equal(['example.com:80']);
    expect(namedHost('10.0.0.1:8081')).to.deep.equal(['10.0.0.1:8081']);
    expect(namedHost('::1')).to.deep.equal(['[::1]:443', '[::1]:80']);
    for (const text of ['', '*', 'a/b', 'user@host', 'https://example.com', 'a b', 'host:99999', '*.example.com'])
      expect(namedHost(text), text).to.equal(null);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
