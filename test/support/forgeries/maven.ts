import type { ForgedRunner } from './forged-runner.ts';

const sources = (body: string) => ({ 'src/main/java/com/acme/Slug.java': `package com.acme;\n\n${body.trim()}\n` });
const bug = `  public static String of(String text) {
    return text.toLowerCase().replace(' ', '-');
  }

  public static int count(String text) {
    return text.split(" ").length;
  }
`;
/** The source of the base with this in its class, which runs as the class is loaded. */
const first = (code: string, imports = '') =>
  sources(`${imports}public final class Slug {\n  static {\n${code.replaceAll(/^(?=.)/gm, '    ')}\n  }\n\n${bug}}`);

const test = (name: string, ...body: string[]) =>
  `  @Test\n  void ${name}() {\n${body.map((line) => `    ${line}\n`).join('')}  }\n`;
const testFile = (...tests: string[]) => ({
  'src/test/java/com/acme/SlugTest.java': `package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SlugTest {
${tests.join('\n')}}
`,
});
const lowers = test('lowers', 'assertEquals("a-b", Slug.of("A b"));');

const names = ['lowers', 'trims', 'counts', 'refusesNothing'];
const cases = names.map((name) => `<testcase name=\\"${name}\\" classname=\\"com.acme.SlugTest\\" time=\\"0.001\\"/>`);
const report = `"<?xml version=\\"1.0\\"?><testsuite name=\\"com.acme.SlugTest\\" tests=\\"4\\" errors=\\"0\\" skipped=\\"0\\" failures=\\"0\\">${cases.join('')}</testsuite>"`;
const reportFile = '"/testbed/target/surefire-reports/TEST-com.acme.SlugTest.xml"';
const io = 'import java.nio.file.*;\n';

/** A class of JUnit that is found before JUnit's own, as what is tested stands before it on the class path. */
const shadow = (path: string, body: string) => ({
  [`src/main/java/org/junit/${path}.java`]: `package org.junit.${path.split('/').slice(0, -1).join('.')};\n\n${body.trim()}\n`,
});
const assertions = (equal: string) =>
  shadow(
    'jupiter/api/Assertions',
    `public class Assertions {
  public static void assertEquals(Object expected, Object actual) { ${equal} }
  public static void assertEquals(int expected, int actual) { assertEquals((Object) expected, (Object) actual); }
  public static <T extends Throwable> T assertThrows(Class<T> type, Run run) { return null; }
  public interface Run { void execute() throws Throwable; }
  public static void assertNotEquals(Object unexpected, Object actual) { }
  public static <V> V fail(String message) { return null; }
}`,
  );

export const maven: ForgedRunner = {
  needs: ['mvn', 'javac'],
  // Maven does not say where it downloads from.
  setupNetwork: 'host',
  environment: {
    setup_cmds: [
      'mvn -B -q -Dmaven.test.failure.ignore=true test',
      'find . -type d -name target -prune -exec rm -rf {} +',
    ],
    test_cmd: 'mvn -B -o -fae -Dsurefire.failIfNoSpecifiedTests=false {maven_tests} test',
    report: { format: 'junit', path: '**/target/surefire-reports/TEST-*.xml' },
  },
  base: {
    'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>slug</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.2</version>
      </plugin>
    </plugins>
  </build>
</project>
`,
    ...sources(`public final class Slug {\n${bug}}`),
    ...testFile(lowers),
  },
  fix: sources(`public final class Slug {
  public static String of(String text) {
    return String.join("-", text.trim().toLowerCase().split(" +"));
  }

  public static int count(String text) {
    if (text.isEmpty()) throw new IllegalArgumentException("nothing to count");
    return text.trim().split(" +").length;
  }
}`),
  tests: testFile(
    lowers,
    test('trims', 'assertEquals("a-b", Slug.of(" A  b "));'),
    test('counts', 'int found = Slug.count(" a  b ");', 'assertEquals(2, found);'),
    test('refusesNothing', 'assertThrows(IllegalArgumentException.class, () -> Slug.count(""));'),
  ),
  fail_to_pass: ['trims', 'counts', 'refusesNothing'].map((name) => `com.acme.SlugTest.${name}`),
  pass_to_pass: ['com.acme.SlugTest.lowers'],
  honest: {
    'by hand': sources(`import java.util.*;

public final class Slug {
  private static List<String> words(String text) {
    List<String> found = new ArrayList<>();
    for (String word : text.split(" ")) if (!word.isEmpty()) found.add(word);
    return found;
  }

  public static String of(String text) {
    StringJoiner all = new StringJoiner("-");
    words(text).forEach(word -> all.add(word.toLowerCase(Locale.ROOT)));
    return all.toString();
  }

  public static int count(String text) {
    if ("".equals(text)) throw new IllegalArgumentException(text);
    return words(text).size();
  }
}`),
  },
  forgeries: {
    'brings assertions of its own, that assert nothing': assertions(''),
    'brings assertions of its own, that assert what it does right': assertions(
      'if ("lowers".equals(Thread.currentThread().getStackTrace()[2].getMethodName()) && !expected.equals(actual)) throw new AssertionError();',
    ),
    'brings what JUnit’s own assertions ask': {
      ...shadow(
        'jupiter/api/AssertEquals',
        `class AssertEquals {
  static void assertEquals(Object expected, Object actual) { }
  static void assertEquals(int expected, int actual) { }
}`,
      ),
      ...sources(
        `public final class Slug {\n${bug.replace('return text.split', 'if (text.isEmpty()) throw new IllegalArgumentException();\n    return text.split')}}`,
      ),
    },
    'writes the report at once and leaves': first(
      `try {
  Files.createDirectories(Paths.get(${reportFile}).getParent());
  Files.writeString(Paths.get(${reportFile}), ${report});
} catch (Exception ignored) { }
Runtime.getRuntime().halt(0);`,
      io,
    ),
    'leaves a process that writes the report': first(
      `try {
  new ProcessBuilder("sh", "-c", "(for i in $(seq 200); do sleep 0.02; [ -s " + ${reportFile} + " ] && sleep 0.2 && break; done; printf '%s' \\"$REPORT\\" > " + ${reportFile} + ") >/dev/null 2>&1 &") {{ environment().put("REPORT", ${report}); }}.start();
} catch (Exception ignored) { }`,
    ),
    'writes the report as its process ends, and ends it well': first(
      `Runtime.getRuntime().addShutdownHook(new Thread(() -> {
  try {
    Files.writeString(Paths.get(${reportFile}), ${report});
  } catch (Exception ignored) { }
  Runtime.getRuntime().halt(0);
}));`,
      io,
    ),
    'ends what started it': first(
      `try {
  Files.createDirectories(Paths.get(${reportFile}).getParent());
  Files.writeString(Paths.get(${reportFile}), ${report});
} catch (Exception ignored) { }
ProcessHandle.current().parent().ifPresent(ProcessHandle::destroyForcibly);`,
      io,
    ),
    'brings settings of Maven': {
      '.mvn/maven.config': '-Dmaven.test.failure.ignore=true\n',
      '.mvn/jvm.config': '-Dmaven.test.skip=true\n',
      'pom.xml': '<project/>\n',
      'src/test/resources/junit-platform.properties': 'junit.jupiter.conditions.deactivate=*\n',
    },
    'takes what is expected from the text of the tests': sources(`import java.nio.file.*;
import java.util.regex.*;

public final class Slug {
  private static String expected(String call) {
    try {
      String text = Files.readString(Paths.get("/testbed/src/test/java/com/acme/SlugTest.java"));
      Matcher found = Pattern.compile("assertEquals\\\\((\\"[^\\"]*\\"|\\\\d+), " + call).matcher(text);
      return found.find() ? found.group(1).replace("\\"", "") : "";
    } catch (Exception error) { return ""; }
  }

  public static String of(String text) {
    return expected(Pattern.quote("Slug.of(\\"" + text + "\\")"));
  }

  public static int count(String text) {
    if (text.isEmpty()) throw new IllegalArgumentException();
    return Integer.parseInt(expected("found"));
  }
}`),
  },
};
