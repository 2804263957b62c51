import xml.etree.ElementTree as xml


def status_of(test):
    found = {child.tag: child for child in test}
    kind = found["skipped"].get("type", "") if "skipped" in found else ""
    if kind == "todo":
        return "xfailed" if "failure" in found or "error" in found else "passed"
    if "error" in found:
        return "error"
    if "failure" in found:
        return "failed"
    if "skipped" not in found:
        return "passed"
    return "xfailed" if kind == "pytest.xfail" else "skipped"


def of_pytest(suites):
    """`<file>::<Class>::<name>`, and the file alone where it can't be read."""
    for test in (test for suite in suites for test in suite.findall("testcase")):
        file, name, class_name = test.get("file", ""), test_name(test.get("name", "")), test.get("classname", "")
        status = status_of(test)
        if class_name == "" and status == "error":
            yield file or name, status
            continue
        module = re.sub(r"\.[^./]*$", "", file).replace("/", ".")
        classes = [] if class_name == module else class_name.replace(f"{module}.", "", 1).split(".")
        yield "::".join(part for part in [file, *classes, name] if part), status


def of_suite(suite, path, is_node):
    for test in suite.findall("testcase"):
        name, class_name = test_name(test.get("name", "")), test.get("classname", "")
        if is_node:
            yield " > ".join([*path, relative(name)]), status_of(test)
        else:
            yield ".".join(part for part in [class_name, name] if part), status_of(test)
    for inner in suite.findall("testsuite"):
        yield from of_suite(inner, [*path, test_name(inner.get("name", ""))], is_node)


def results(text, form):
    """JUnit's XML: pytest's, Node's with its nested suites, and that of all others, `<classname>.<name>`."""
    if "<!DOCTYPE" in text.upper()[:65536]:
        raise ValueError("it has a document type")
    root = xml.fromstring(text)
    if form == "pytest_junit":
        return of_pytest([root] if root.tag == "testsuite" else root.findall("testsuite"))
    if root.tag == "testsuites":
        return of_suite(root, [], not root.attrib)
    whole = xml.Element("testsuites")
    whole.append(root)
    return of_suite(whole, [], False)
