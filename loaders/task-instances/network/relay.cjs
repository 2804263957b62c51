// In a sandbox without interfaces: listens on its loopback, hands every connection on to the proxy's socket, and runs a command
// meanwhile, whose exit code is its own. In old JavaScript, as it runs by whatever Node the sandbox shows.
//
//   node -e RELAY SOCKET PORT COMMAND …
const { spawn } = require('node:child_process');
const { connect, createServer } = require('node:net');
const { constants } = require('node:os');

const [, socket, port, program, ...args] = process.argv;

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true });
  for (const [from, to] of [
    [client, proxy],
    [proxy, client],
  ])
    from.on('error', () => to.destroy()).pipe(to);
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', ({ message }) => {
    console.error(message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
});
