// What the launcher needs where it is installed. The package's build makes one file of it and of what it imports: a question takes
// less time than finding a dozen.
export { default as envPaths } from 'env-paths';
export { quick } from './quick.ts';
