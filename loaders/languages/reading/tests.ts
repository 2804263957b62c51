/** Files that are named like the class of tests in them: `UserTest.java`, `TestUser.java`. */
export function testClasses(extension: string): RegExp {
  // Bounded: paths.
  return new RegExp(String.raw`(^|\/)(Test[A-Z0-9_]\w*|\w*(Tests?|TestCase|Spec|[a-z]IT))\.${extension}$`);
}
