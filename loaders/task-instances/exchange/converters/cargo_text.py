STATUSES = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
RUNNING = re.compile(r"^ {2,}Running (?:unittests )?(\S+) \((?:.*[/\\])?(.+?)-[0-9a-f]{16}(?:\.exe)?\)$")
DOCUMENTATION = re.compile(r"^ {2,}Doc-tests (\S+)$")
UNCOMPILED = re.compile(r"^error: could not compile `([^`]+)`(?: \((.*?)\))? due to")
TEST = re.compile(r"^test (.+?)( - should panic)? \.\.\. (ok|FAILED|ignored)\b")


def results(text, form):
    """What `cargo test` prints: `<crate>:<file>::<name>`."""
    target = None
    listing = False
    for line in map(str.rstrip, text.split("\n")):
        running, documentation, uncompiled = RUNNING.match(line), DOCUMENTATION.match(line), UNCOMPILED.match(line)
        if running:
            target = f"{running[2]}:{running[1]}"
        elif documentation:
            target = f"{documentation[1]}:doc"
        elif uncompiled:
            yield " ".join(part for part in uncompiled.groups() if part) + " [build]", "error"
        if running or documentation:
            listing = False
        elif re.match(r"^running \d+ tests?$", line):
            listing = True
        elif line == "failures:" or line.startswith("test result: "):
            listing = False
        test = TEST.match(line) if listing and target else None
        if test:
            name = re.sub(r" \(line \d+\)", "", test[1], count=1)
            yield f"{target}::{test_name(name)}", STATUSES[test[3]]
