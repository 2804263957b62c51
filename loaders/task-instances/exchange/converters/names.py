import re

ANSI = re.compile(r"[\x1b\x9b][\[\]()#;?]*(?:(?:(?:[^\W_]*(?:;[^\W_]*)*)?\x07)|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-ntqry=><~]))")


def relative(path):
    """A path within the tree, where a runner wrote a whole one."""
    return re.sub(r"^(file://)?/(?:.*?/)??testbed/", "", path)


def test_name(name):
    """A name as it is in every run: in one line, without colours and without how long it took."""
    name = re.sub(r"[\r\n\t]+", " ", ANSI.sub("", name))
    return re.sub(r" [\[(]\d+(\.\d+)? ?(ns|µs|ms|s|m)[\])]\s*$", "", name).strip()
