/**
 * How much a test tries: in the gate, which has to be quick, and in the long tests (`npm run test:long`), which import the same test
 * once more and take as long as they need.
 */
export function effort<T>({ gate, long }: { gate: T; long: T }): T {
  return process.env['LONG_TESTS'] === '1' ? long : gate;
}
