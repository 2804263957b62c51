POINT = re.compile(r"^(not )?ok\b *(\d*) *(?:- )?(.*)$")
DIRECTIVE = re.compile(r"(?:^|\s)#\s*(skip|todo)\S*(?:\s.*)?$", re.IGNORECASE)


def results(text, form):
    """The Test Anything Protocol: descriptions of a test and of those that it is part of, joined by ` > `."""
    if not re.search(r"^1\.\.\d+", text, re.MULTILINE):
        raise ValueError("it has no plan, as if it had not been finished")
    names, found, count, in_details = [], [], {}, False
    for line in text.split("\n"):
        rest = line.lstrip(" ")
        depth, odd = divmod(len(line) - len(rest), 4)
        if in_details:
            # A group of Node's is no test: what fails in it fails by itself.
            if re.match(r"^type: '?suite'?\s*$", rest) and found:
                found[-1] = None
            in_details = rest.rstrip() != "..."
            continue
        if odd == 2 and rest.rstrip() == "---":
            in_details = True
            continue
        if rest.startswith("# Subtest: "):
            names[depth:] = [test_name(rest[len("# Subtest: ") :])]
            continue
        point = POINT.match(rest.rstrip()) if odd == 0 else None
        if not point:
            continue
        count[depth] = count.get(depth, 0) + 1
        for deeper in [key for key in count if key > depth]:
            del count[deeper]
        description = point[3]
        directive = DIRECTIVE.search(description)
        if directive:
            description = description[: directive.start()]
        description = re.sub(r"\\([#\\])", r"\1", description)
        name = test_name(relative(description)) or point[2] or str(count[depth])
        word = directive[1].lower() if directive else ""
        if word == "skip":
            status = "skipped"
        elif not point[1]:
            status = "passed"
        else:
            status = "xfailed" if word == "todo" else "failed"
        found.append((" > ".join([*names[:depth], name]), status))
    return [each for each in found if each]
