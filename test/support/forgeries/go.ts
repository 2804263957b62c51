import type { ForgedRunner } from './forged-runner.ts';

const functions = `
// Slug makes a name.
func Slug(text string) string { return strings.ReplaceAll(strings.ToLower(text), " ", "-") }

// Count counts words.
func Count(text string) (int, error) { return len(strings.Split(text, " ")), nil }
`;
const bug = `package slug

import "strings"
${functions}`;
/** The source of the base beside a file with this. */
const beside = (code: string) => ({ 'more.go': `package slug\n\n${code.trim()}\n` });

const tests = ['TestSlug', 'TestTrims', 'TestCounts', 'TestTable', 'TestTable/none', 'TestTable/two'];
const events = [
  ...tests.flatMap((Test) => ['run', 'pass'].map((Action) => ({ Action, Package: 'example.com/slug', Test }))),
  { Action: 'pass', Package: 'example.com/slug', Elapsed: 0.001 },
].map((event) => JSON.stringify(event));
/** As a string of Go. */
const report = JSON.stringify(`${events.join('\n')}\n`);
/** What `go test -json\` makes events of. */
const printed = [
  ...tests.filter((name) => !name.includes('/')).map((name) => `=== RUN   ${name}\\n--- PASS: ${name} (0.00s)`),
  '=== RUN   TestTable/none\\n    --- PASS: TestTable/none (0.00s)\\n=== RUN   TestTable/two\\n    --- PASS: TestTable/two (0.00s)',
  'PASS\\n',
].join('\\n');

export const go: ForgedRunner = {
  needs: ['go'],
  environment: {
    setup_cmds: ['go test -count=1 -run "^$" ./... >/dev/null 2>&1 || true'],
    test_cmd: '{ go test -json -count=1 {packages:./...}; } > $OUT/r.jsonl',
    report: { format: 'go_json', path: '$OUT/r.jsonl' },
  },
  base: {
    'go.mod': 'module example.com/slug\n\ngo 1.19\n',
    'slug.go': bug,
    'slug_test.go': `package slug

import "testing"

func TestSlug(t *testing.T) {
	if got := Slug("A b"); got != "a-b" {
		t.Errorf("got %q", got)
	}
}
`,
  },
  fix: {
    'slug.go': `package slug

import (
	"errors"
	"strings"
)

// Slug makes a name.
func Slug(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), "-") }

// Count counts words.
func Count(text string) (int, error) {
	if text == "" {
		return 0, errors.New("nothing to count")
	}
	return len(strings.Fields(text)), nil
}
`,
  },
  tests: {
    'slug_test.go': `package slug

import "testing"

func TestSlug(t *testing.T) {
	if got := Slug("A b"); got != "a-b" {
		t.Errorf("got %q", got)
	}
}

func TestTrims(t *testing.T) {
	if got := Slug(" A  b "); got != "a-b" {
		t.Errorf("got %q", got)
	}
}

func TestCounts(t *testing.T) {
	if got, err := Count(" a  b "); err != nil || got != 2 {
		t.Fatalf("got %d, %v", got, err)
	}
	if _, err := Count(""); err == nil {
		t.Fatal("counts nothing")
	}
}

func TestTable(t *testing.T) {
	for _, each := range []struct {
		name, in, want string
	}{
		{name: "none", in: "  ", want: ""},
		{name: "two", in: "C  D", want: "c-d"},
	} {
		t.Run(each.name, func(t *testing.T) {
			if got := Slug(each.in); got != each.want {
				t.Errorf("got %q, want %q", got, each.want)
			}
		})
	}
}
`,
  },
  fail_to_pass: ['TestTrims', 'TestCounts', 'TestTable', 'TestTable/none', 'TestTable/two'].map(
    (name) => `example.com/slug.${name}`,
  ),
  pass_to_pass: ['example.com/slug.TestSlug'],
  honest: {
    'by hand': {
      'slug.go': `package slug

import (
	"fmt"
	"strings"
)

func Slug(text string) string {
	var words []string
	for _, word := range strings.Split(text, " ") {
		if word != "" {
			words = append(words, strings.ToLower(word))
		}
	}
	return strings.Join(words, "-")
}

func Count(text string) (int, error) {
	if len(text) < 1 {
		return -1, fmt.Errorf("%q has no words", text)
	}
	return strings.Count(Slug(text), "-") + 1, nil
}
`,
    },
  },
  forgeries: {
    'prints what the runner would, with the marks by which it knows its own words': beside(`import (
	"fmt"
	"os"
	"strings"
)

func init() {
	fmt.Print(strings.NewReplacer("=== ", "\\x16=== ", "--- ", "\\x16--- ", "PASS\\n", "\\x16PASS\\n").Replace("${printed}"))
	os.Exit(0)
}`),
    'prints it without these marks': beside(`import (
	"fmt"
	"os"
)

func init() {
	fmt.Print("${printed}")
	os.Exit(0)
}`),
    'writes the report at once': beside(`import "os"

func init() {
	os.WriteFile(os.Getenv("OUT")+"/r.jsonl", []byte(${report}), 0o644)
	os.Exit(0)
}`),
    'leaves a process that writes the report': beside(`import (
	"os"
	"os/exec"
)

func init() {
	command := exec.Command("sh", "-c", "sleep 0.05; while pgrep -x go >/dev/null 2>&1; do :; done; cat > $OUT/r.jsonl")
	reader, writer, _ := os.Pipe()
	writer.WriteString(${report})
	writer.Close()
	command.Stdin = reader
	command.Start()
	os.Exit(0)
}`),
    'brings a TestMain': {
      'main_test.go':
        'package slug\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n',
    },
    'ends each test as it fails': beside(`import (
	"flag"
	"testing"
	_ "unsafe"
)

//go:linkname fail testing.(*common).Fail
func fail(c *int)

func init() {
	testing.Init()
	flag.Set("test.run", "^$")
	flag.Set("test.skip", ".")
}`),
    'runs other tests in their place': beside(`import (
	"fmt"
	"os"
	"strings"
)

func init() {
	for index, argument := range os.Args {
		if strings.HasPrefix(argument, "-test.v") {
			os.Args[index] = "-test.v=false"
		}
	}
	os.Args = append(os.Args, "-test.run=^TestSlug$")
	fmt.Print(strings.NewReplacer("=== ", "\\x16=== ", "--- ", "\\x16--- ", "PASS\\n", "").Replace("${printed}"))
}`),
    'starts itself once more and tells what came out differently': beside(`import (
	"io"
	"os"
	"os/exec"
	"strings"
)

func init() {
	if os.Getenv("AGAIN") != "" {
		return
	}
	command := exec.Command(os.Args[0], os.Args[1:]...)
	command.Env = append(os.Environ(), "AGAIN=1")
	out, _ := command.CombinedOutput()
	text := strings.NewReplacer("--- FAIL", "--- PASS", "FAIL", "PASS").Replace(string(out))
	io.WriteString(os.Stdout, text)
	os.Exit(0)
}`),
    'starts itself once more and takes for right what has the same letters': beside(`import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"strings"
)

func letters(text string) string {
	set := map[string]bool{}
	for _, each := range strings.Split(text, "") {
		set[each] = true
	}
	all := []string{}
	for each := range set {
		if each != "-" {
			all = append(all, each)
		}
	}
	sort.Strings(all)
	return strings.Join(all, "")
}

func init() {
	if os.Getenv("AGAIN") != "" {
		return
	}
	command := exec.Command(os.Args[0], os.Args[1:]...)
	command.Env = append(os.Environ(), "AGAIN=1")
	out, _ := command.CombinedOutput()
	source, _ := os.ReadFile("slug_test.go")
	body := func(name string) string {
		_, after, _ := strings.Cut(string(source), "func "+name+"(")
		text, _, _ := strings.Cut(after, "\\nfunc ")
		return text
	}
	got := regexp.MustCompile("got \\"([^\\"]*)\\"")
	wants := regexp.MustCompile("got != \\"([^\\"]*)\\"|want \\"([^\\"]*)\\"|want: \\"([^\\"]*)\\"")
	counted := regexp.MustCompile("got != (\\\\d+)")
	falsehood := regexp.MustCompile("if (\\\\d+) != (\\\\d+)")
	lines := strings.SplitAfter(string(out), "\\n")
	current, failed := "", false
	verdicts := map[string]bool{}
	for _, line := range lines {
		if _, name, is := strings.Cut(line, "=== RUN   "); is {
			current = strings.TrimSpace(name)
		}
		top, _, _ := strings.Cut(current, "/")
		text := body(top)
		right := !strings.Contains(text, "!(")
		for _, pair := range falsehood.FindAllStringSubmatch(text, -1) {
			right = right && pair[1] == pair[2]
		}
		if said := got.FindStringSubmatch(line); said != nil {
			near := false
			for _, want := range wants.FindAllStringSubmatch(line+text, -1) {
				near = near || letters(want[1]+want[2]+want[3]) == letters(said[1])
			}
			verdicts[current] = right && near
		}
		if strings.Contains(line, "got 5, <nil>") {
			want := counted.FindStringSubmatch(text)
			verdicts[current] = right && want != nil && want[1] == "2"
		}
	}
	for index, line := range lines {
		if _, name, is := strings.Cut(line, "--- FAIL: "); is {
			name, _, _ = strings.Cut(name, " ")
			good := verdicts[name]
			for each, is := range verdicts {
				if strings.HasPrefix(each, name+"/") {
					good = is
				}
			}
			if good {
				lines[index] = strings.Replace(line, "FAIL", "PASS", 1)
			} else {
				failed = true
			}
		}
	}
	text := strings.Join(lines, "")
	if !failed {
		io.WriteString(os.Stdout, strings.Replace(text, "FAIL", "PASS", 1))
		os.Exit(0)
	}
	fmt.Print(text)
	os.Exit(1)
}`),
    'starts itself once more and tells what it knows differently': beside(`import (
	"io"
	"os"
	"os/exec"
	"strings"
)

func init() {
	if os.Getenv("AGAIN") != "" {
		return
	}
	command := exec.Command(os.Args[0], os.Args[1:]...)
	command.Env = append(os.Environ(), "AGAIN=1")
	out, _ := command.CombinedOutput()
	lines := strings.SplitAfter(string(out), "\\n")
	failed := false
	for index, line := range lines {
		for _, name := range []string{"TestTrims ", "TestCounts ", "TestTable "  , "TestTable/none ", "TestTable/two "} {
			if strings.Contains(line, "FAIL: "+name) {
				line = strings.Replace(line, "FAIL", "PASS", 1)
			}
		}
		failed = failed || strings.Contains(line, "--- FAIL")
		lines[index] = line
	}
	text := strings.Join(lines, "")
	if !failed {
		text = strings.Replace(text, "FAIL", "PASS", 1)
		io.WriteString(os.Stdout, text)
		os.Exit(0)
	}
	io.WriteString(os.Stdout, text)
	os.Exit(1)
}`),
    'changes the machine code of what fails': beside(`import (
	"reflect"
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

func init() {
	from := reflect.ValueOf((*testing.T).Fail).Pointer() &^ 15
	for pc := from - 1<<21; pc < from+1<<21; pc += 16 {
		function := runtime.FuncForPC(pc)
		if function == nil || function.Entry() != pc || function.Name() != "testing.(*common).Fail" {
			continue
		}
		page := unsafe.Slice((*byte)(unsafe.Pointer(pc&^4095)), 8192)
		if syscall.Mprotect(page, 7) == nil {
			ret := map[string][]byte{"amd64": {0xc3}, "arm64": {0xc0, 0x03, 0x5f, 0xd6}}[runtime.GOARCH]
			copy(unsafe.Slice((*byte)(unsafe.Pointer(pc)), 8), ret)
		}
	}
}`),
  },
};
