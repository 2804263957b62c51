const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  throw new Error(
    `Node ${process.versions.node} is too old for the tests: run \`npm ci\` so that the package "node" brings Node 24.15 or newer, and start them with \`npm test\`.`,
  );
}
