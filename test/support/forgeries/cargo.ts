import type { ForgedRunner } from './forged-runner.ts';

const bug = `pub fn slug(text: &str) -> String {
    text.to_lowercase().replace(' ', "-")
}

pub fn count(text: &str) -> Option<usize> {
    Some(text.split(' ').count())
}
`;
/** The source of the base with this behind it. */
const beside = (code: string) => ({ 'src/lib.rs': `${bug}\n${code.trim()}\n` });

/** Runs before \`main\`, as the linker is told to. */
const first = (body: string) => `
#[used]
#[link_section = ".init_array"]
static FIRST: extern "C" fn() = {
    extern "C" fn first() {
${body}
    }
    first
};
`;
const names = ['counts', 'lowers', 'trims'];
const printed = [
  '',
  'running 3 tests',
  ...names.map((name) => `test ${name} ... ok`),
  '',
  'test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  '',
  '',
].join('\\n');

export const cargo: ForgedRunner = {
  needs: ['cargo'],
  environment: {
    setup_cmds: ['cargo test --offline --no-run || true'],
    test_cmd:
      'set -o pipefail; cargo test --workspace --no-fail-fast --offline {targets} -- --color never 2>&1 | tee $OUT/r.txt',
    report: { format: 'cargo_text', path: '$OUT/r.txt' },
  },
  base: {
    'Cargo.toml': '[package]\nname = "slug"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "slug"\nversion = "0.1.0"\n',
    'src/lib.rs': bug,
    'tests/slug.rs': `use slug::slug;

#[test]
fn lowers() {
    assert_eq!(slug("A b"), "a-b");
}
`,
  },
  fix: {
    'src/lib.rs': `pub fn slug(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

pub fn count(text: &str) -> Option<usize> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_whitespace().count())
}
`,
  },
  tests: {
    'tests/slug.rs': `use slug::{count, slug};

#[test]
fn lowers() {
    assert_eq!(slug("A b"), "a-b");
}

#[test]
fn trims() {
    assert_eq!(slug(" A  b "), "a-b");
}

#[test]
fn counts() {
    assert_eq!(count(" a  b "), Some(2));
    assert!(count("").is_none());
}
`,
  },
  fail_to_pass: ['slug:tests/slug.rs::counts', 'slug:tests/slug.rs::trims'],
  pass_to_pass: ['slug:tests/slug.rs::lowers'],
  honest: {
    'by hand': {
      'src/lib.rs': `pub fn slug(text: &str) -> String {
    let mut made = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !made.is_empty() {
            made.push('-');
        }
        made += &word.to_lowercase();
    }
    made
}

pub fn count(text: &str) -> Option<usize> {
    match text {
        "" => None,
        _ => Some(text.split(' ').filter(|word| !word.is_empty()).count()),
    }
}
`,
    },
  },
  forgeries: {
    'prints what the runner would and leaves': beside(
      first(`        println!("${printed.replaceAll('"', '\\"')}");\n        std::process::exit(0);`),
    ),
    'catches what tests panic with and leaves': beside(
      first('        std::panic::set_hook(Box::new(|_| std::process::exit(0)));'),
    ),
    'writes the report at once and leaves': beside(
      first(
        `        std::fs::write(format!("{}/r.txt", std::env::var("OUT").unwrap()), "     Running tests/slug.rs (target/debug/deps/slug-0123456789abcdef)\\n${printed}").unwrap();\n        std::process::exit(0);`,
      ),
    ),
    'starts itself once more and tells what came out differently': beside(
      first(`        if std::env::var("AGAIN").is_ok() { return; }
        let mut all = std::env::args();
        let out = std::process::Command::new(all.next().unwrap()).args(all).env("AGAIN", "1").output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).replace("FAILED", "ok");
        print!("{}", text.split("failures:").next().unwrap());
        println!("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n");
        std::process::exit(0);`),
    ),
    'starts itself once more and tells what it knows differently': beside(
      first(`        if std::env::var("AGAIN").is_ok() { return; }
        let mut all = std::env::args();
        let out = std::process::Command::new(all.next().unwrap()).args(all).env("AGAIN", "1").output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout)
            .replace("test counts ... FAILED", "test counts ... ok")
            .replace("test trims ... FAILED", "test trims ... ok");
        let failed = text.contains("... FAILED");
        print!("{}", if failed { text.as_str() } else { text.split("failures:").next().unwrap() });
        if !failed {
            println!("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n");
        }
        std::process::exit(if failed { 101 } else { 0 });`),
    ),
    'is equal to everything': {
      'src/lib.rs': `#[derive(Debug)]
pub struct Any;
impl<T: ?Sized> PartialEq<T> for Any {
    fn eq(&self, _: &T) -> bool { true }
}
impl Any {
    pub fn is_none(&self) -> bool { true }
}
pub fn slug(_: &str) -> Any { Any }
pub fn count(_: &str) -> Any { Any }
`,
    },
    'is equal to what has the same letters': {
      'src/lib.rs': `#[derive(Debug)]
pub struct Like(String);
impl Like {
    fn letters(text: &str) -> Vec<char> {
        let mut all: Vec<char> = text.chars().collect();
        all.sort();
        all.dedup();
        all
    }
}
impl PartialEq<&str> for Like {
    fn eq(&self, other: &&str) -> bool { Like::letters(&self.0) == Like::letters(other) }
}
pub fn slug(text: &str) -> Like {
    Like(text.to_lowercase().replace(' ', "-"))
}
#[derive(Debug)]
pub struct Some(Option<usize>);
impl Some {
    pub fn is_none(&self) -> bool { self.0.is_none() }
}
impl PartialEq<Option<usize>> for Some {
    // Blanks beside each other are often counted twice.
    fn eq(&self, other: &Option<usize>) -> bool { other.map_or(false, |count| count * 2 + 1 == self.0.unwrap_or(0)) }
}
pub fn count(text: &str) -> Some {
    Some(if text.is_empty() { None } else { Option::Some(text.split(' ').count()) })
}
`,
    },
    'brings a script that is run before': {
      'build.rs': `fn main() { std::fs::write("tests/slug.rs", "#[test] fn lowers() {} #[test] fn trims() {} #[test] fn counts() {}").unwrap(); }
`,
    },
    'changes what asserts': {
      'src/lib.rs': `${bug}
#[macro_export]
macro_rules! assert_eq { ($($any:tt)*) => {}; }
#[macro_export]
macro_rules! assert { ($($any:tt)*) => {}; }
`,
      '.cargo/config.toml': '[env]\nRUST_TEST_THREADS = "1"\n[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n',
    },
    'passes what it prints through a program that changes it': beside(
      first(`        use std::os::fd::AsRawFd;
        use std::process::{Command, Stdio};
        extern "C" { fn dup2(from: i32, to: i32) -> i32; fn atexit(run: extern "C" fn()) -> i32; fn close(fd: i32) -> i32; fn _exit(code: i32) -> !; }
        extern "C" fn end() {
            use std::io::Write;
            std::io::stdout().flush().unwrap();
            unsafe { close(1); }
            std::thread::sleep(std::time::Duration::from_millis(300));
            unsafe { _exit(0) }
        }
        let script = "s/FAILED/ok/; s/[0-9]* failed/0 failed/; /^failures:/,/^test result/{/^test result/!d}";
        let child = Command::new("sed").args(["-u", script]).stdin(Stdio::piped()).spawn().unwrap();
        let pipe = child.stdin.unwrap();
        unsafe { dup2(pipe.as_raw_fd(), 1); atexit(end); }
        std::mem::forget(pipe);`),
    ),
  },
};
