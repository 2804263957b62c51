/**
 * How the test frameworks of a language write tests and assertions; names as their own documentation has them. All patterns meet source
 * whose strings and comments are blanked.
 */
export interface TestFramework {
  /** Functions that are tests, by name. */
  named?: RegExp;
  /** How such a function is declared, where one of that name may be a helper. */
  declared?: RegExp;
  /** Functions that are tests, by what stands above and before their name: an annotation, an attribute. */
  marked?: RegExp;
  /** What stands above a function and is an assertion by itself: an expected exception. */
  expects?: RegExp;
  /** Calls that make a test of what they are given; sticky at nothing, global. */
  calls?: RegExp;
  /** Where the body of such a call stands: in its parentheses, in braces behind them, or up to an `end`. */
  body?: 'parentheses' | 'braces' | 'end';
  /** What asserts, up to where its arguments begin. */
  asserts: RegExp;
  /** What asserts whatever it is given: that something is thrown. */
  always?: RegExp;
  /** What asserts about what stands before it: `.should`. */
  suffixes?: RegExp;
  /** What fails a test where it is reached; an assertion behind a condition. */
  fails: RegExp;
  /** Identifiers that say nothing of the code under test: `t`, `self`. */
  neutral?: readonly string[];
  /** A test may stand without parentheses around its arguments: they end with the line. */
  bare?: true;
}

const ecmascript: TestFramework = {
  // Mocha, Jest, Vitest, Jasmine, AVA, tap, tape, node:test, QUnit, Deno, Bun.
  calls:
    /(?<![\w$.])(?:it|test|specify|fit|xit|xtest|suite\.test|QUnit\.test|Deno\.test|tap\.test|t\.test|tape)(?:\.(?:only|skip|each|concurrent|failing|serial|todo|cb|sequential|for))*\s{0,9}[(`]/g,
  body: 'parentheses',
  asserts:
    /(?<![\w$])(?:(?:assert|expect|chai\.expect|chai\.assert|sinon\.assert|td\.verify|should|QUnit\.assert|console\.assert|expectTypeOf|assertType|invariant)(?:\.\w{1,60}){0,4}|(?:t|tt|st|ct|q|tap|tape|is|test|ctx|assert|context|self|this)\.(?:is\w{0,60}|not\w{0,60}|deep\w{0,60}|equals?|strict\w{0,60}|loose\w{0,60}|ok|true|false|truthy|falsy|assert\w{0,60}|throws\w{0,60}|doesNotThrow|rejects\w{0,60}|resolve\w{0,60}|like|regex|snapshot|same\w{0,60}|match\w{0,60}|has\w{0,60}|error|ifError|emits|type|expect\w{0,60}|contains?|includes?|partialDeepStrictEqual)|(?:assert|expect|verify|check|ensure|should|must|shouldBe|shouldThrow)\w{0,60})\s{0,9}(?=\()/g,
  suffixes:
    /\.(?:should|must|expect|expectStatus|expectJson|expectHeader|toMatchSnapshot|verify)(?:\.\w{1,60}){0,6}\s{0,9}[(;\n]|\.(?:should|must)\.\w/g,
  fails:
    /(?<![\w$.])(?:throw\s|done\.fail\s{0,9}\(|done\s{0,9}\(\s{0,9}(?:e|err|error|new)\b|fail\s{0,9}\(|process\.exit\s{0,9}\()|\b(?:expect|assert|t|tap|should|chai)\.fail\s{0,9}\(/g,
  neutral: ['t', 'tt', 'tap', 'test', 'chai', 'expect', 'assert', 'sinon', 'done', 'this'],
};

const jvm: Pick<TestFramework, 'expects' | 'fails' | 'neutral'> = {
  expects:
    /@Test\s{0,9}\([^)]{0,200}\b(?:expected|expectedExceptions)\b|@(?:ExpectedException|ExpectException|ShouldThrow)\b/,
  fails: /(?<![\w$])(?:fail|Assert\.fail|Assertions\.fail|error|TODO)\s{0,9}\(|\bthrow\s|\bSystem\.exit\s{0,9}\(/g,
  neutral: ['Assert', 'Assertions', 'this', 'Truth', 'it', 'self'],
};

const annotations =
  /@(?:\w{1,40}\.){0,6}(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory|Fact|ScreenshotTest|QuarkusTest)\b/;

const java: TestFramework = {
  // JUnit 3 to 6, TestNG, AssertJ, Truth, Hamcrest, Mockito, Spring.
  ...jvm,
  named: /^test[A-Z0-9_]/,
  declared: /\bpublic\s{1,9}void\s{1,9}\w{1,100}\s{0,9}\(\s{0,9}\)/,
  marked: annotations,
  asserts:
    /(?<![\w$])(?:(?:Assert|Assertions|Truth|MatcherAssert|Mockito|BDDMockito|SoftAssertions|softly|collector|Assume|thrown|expectedException|exception|expected)\.\w{1,60}|(?:assert|verify|expect|check|ensure|should|must|then|validate)\w{0,60})\s{0,9}(?:<[^<>()]{0,100}>)?(?=\()|(?<![\w$.])assert\s/g,
  suffixes:
    /\.(?:andExpect|andExpectAll|expectStatus|expectBody|expectNext|expectComplete|verifyComplete|expectError|shouldHave|should|shouldBe|statusCode|is\w{0,40}EqualTo\w{0,40}|assert[A-Z]\w{0,60}|verify\w{0,40}|expect\w{0,40}|test)\s{0,9}\(/g,
};

const kotlin: TestFramework = {
  // kotlin.test, JUnit, Kotest, assertk, MockK, Strikt.
  ...jvm,
  marked: annotations,
  calls: /(?<![\w$.])(?:test|should|expect|it|then|Then|scenario|xtest|xit|feature)\s{0,9}\("|"\s{0,9}\{/g,
  body: 'braces',
  asserts:
    /(?<![\w$])(?:(?:assert|verify|coVerify|expect|check|ensure|should|must|validate|require)\w{0,60})\s{0,9}(?:<[^<>()]{0,100}>)?\s{0,9}(?=[({])|(?<![\w$.])assert\s/g,
  suffixes:
    /[\w)\]}"]\s{0,9}(?:\?\.|\.)?\s{0,9}\b(?:should\w{0,60}|assert[A-Z]\w{0,60}|mustBe\w{0,40}|isEqualTo|isNotEqualTo|isNull|isNotNull|isTrue|isFalse|isInstanceOf|contains(?:Exactly)?|hasSize|isEmpty|hasMessage|expect\w{0,40}|verify\w{0,40})\b/g,
};

const scala: TestFramework = {
  // ScalaTest, munit, utest, specs2, ScalaCheck, zio-test.
  ...jvm,
  always: /(?<![\w$])(?:compileErrors?|assertDoesNotCompile|assertTypeError|assertCompiles)\b/g,
  marked: annotations,
  calls:
    /(?<![\w$.])(?:test|it|they|scenario|property|testM|testAsync|ignore|Scenario)\s{0,9}\("|"\s{0,9}(?:in|!|>>|should|must|-)\s{0,9}\{|\bin\s{0,9}\{/g,
  body: 'braces',
  asserts:
    /(?<![\w$])(?:(?:assert|verify|expect|check|ensure|intercept|should|must|validate|forAll|prop|require|compileErrors)\w{0,60}|Prop\.\w{1,40})\s{0,9}(?:\[[^[\]]{0,100}\])?\s{0,9}(?=[({])|(?<![\w$.])assert\s/g,
  suffixes:
    /[\w)\]}"]\s{0,9}\.?\s{0,9}(?:\b(?:should|must|shouldBe|shouldEqual|mustBe|mustEqual|mustNot|shouldNot|mustMatch|shouldMatch|should_==|must_==|must_!=|be_==|isTrue|isLeft|isRight)\b|===|==>|->>|is)\s{0,9}[\w({"\n]/g,
};

const csharp: TestFramework = {
  // xUnit, NUnit, MSTest, FluentAssertions, Shouldly, Moq, NSubstitute.
  marked:
    /\[(?:\w{1,40}\.){0,4}(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|SkippableFact|SkippableTheory|StaFact|WpfFact|ConditionalFact|ConditionalTheory|InlineData|Property)\w{0,9}\b/,
  expects: /\[[^\]]{0,80}ExpectedException/,
  asserts:
    /(?<![\w$])(?:(?:Assert|CollectionAssert|StringAssert|FileAssert|DirectoryAssert|ClassicAssert|Verifier|Approvals|Should|Record|Expect)\.\w{1,60}|(?:Assert|Verify|Expect|Check|Ensure|Should|Must|Validate)\w{0,60})\s{0,9}(?:<[^()]{0,100}>)?\s{0,9}(?=\()/g,
  suffixes:
    /\.(?:Should\w{0,60}|Must\w{0,40}|Verify\w{0,60}|Received\w{0,40}|DidNotReceive\w{0,40}|MustHaveHappened\w{0,40}|Assert\w{0,60}|Expect\w{0,40}|AssertConfigurationIsValid)\s{0,9}(?:<[^()]{0,100}>)?\s{0,9}\(/g,
  fails: /\bAssert\.Fail\s{0,9}\(|\bthrow\s/g,
  neutral: ['Assert', 'this', 'Record', 'Verifier'],
};

const frameworks: Readonly<Record<string, TestFramework>> = {
  JavaScript: ecmascript,
  TypeScript: ecmascript,
  TSX: ecmascript,
  Java: java,
  Kotlin: kotlin,
  Scala: scala,
  'C#': csharp,
  Python: {
    // pytest, unittest, nose, hypothesis, numpy and pandas testing, Django, mock.
    named: /^test/,
    asserts:
      /(?<![\w.])(?:self|cls|case|tc|testcase|t|this)\.(?:assert|fail|expect|check|verify|ensure|should|_?assert)\w{0,60}\s{0,9}(?=\()|(?<![\w])(?:\w{1,40}\.){0,4}(?:_?assert|raises|warns|deprecated_call|expect|verify|should|ensure|check|must)\w{0,60}\s{0,9}(?=\()|(?<![\w.])assert\b/g,
    suffixes: /\.(?:assert_\w{1,60}|should\w{0,40}|expect\w{0,40}|fnmatch_lines\w{0,30}|match_lines)\s{0,9}[(.]/g,
    fails: /\b(?:pytest\.fail|self\.fail|pytest\.xfail|sys\.exit|os\._exit)\s{0,9}\(|(?<![\w.])raise\b/g,
    neutral: ['self', 'cls', 'pytest', 'unittest', 'np', 'testing', 'is', 'not', 'in', 'and', 'or', 'tc', 'numpy'],
    bare: true,
  },
  Go: {
    // testing, testify, gomega, gocheck, quicktest, is, go-cmp.
    named: /^(?:Test|Fuzz)(?![a-z])/,
    asserts:
      /(?<![\w.])(?:(?:assert|require|is|qt|td|must|should|a|r|asserts?|check|expect|gt|that|ensure|testutil|test|tests|suite|s|g|c|w|as|st|so)\.(?:\w{1,40}\(\)\.)?(?:Assert|Require|Equal|Not|Nil|No|True|False|Contains|Error|Len|Empty|Elements|Greater|Less|Panics|Eventually|Never|JSON|YAML|Zero|Same|Subset|In|Is|Regexp|Implements|Fail|Within|Positive|Negative|Condition|File|Dir|HTTP|Exactly|Check|Expect|Cmp|Deep|Has|That|Must|Ok|OK|Err|Un|Exactly|Type|Increasing|Decreasing|WithinDuration|Good|Bad)\w{0,60}|(?:\w{1,40}\.)?(?:[aA]ssert|[eE]xpect|[vV]erify|[cC]heck|[eE]nsure|[rR]equire|[mM]ust|So|Convey|Ω|Eventually|Consistently)\w{0,60})\s{0,9}(?=\()/g,
    suffixes:
      /\.(?:Should|ShouldNot|To|NotTo|ToNot|AssertExpectations|AssertCalled\w{0,40}|AssertNumberOfCalls|Finish|MustHaveHappened)\s{0,9}\(/g,
    fails:
      /(?<![\w])\w{1,20}\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Fatalln|Panicf?)\s{0,9}\(|(?<![\w.])panic\s{0,9}\(|\bos\.Exit\s{0,9}\(/g,
    neutral: ['t', 'tt', 'tb', 'b', 'c', 's', 'T', 'a', 'r', 'is', 'suite', 'assert', 'require', 'qt'],
  },
  Ruby: {
    // Minitest, Test::Unit, RSpec, shoulda, Mocha.
    named: /^test_/,
    declared: /^\s*def\s{1,9}test_\w{0,200}[?!]?\s{0,9}(?:$|;|\(\s{0,9}\)|\n|#)/,
    always:
      /(?<![\w])(?:assert|refute|expect|must|should)\w{0,60}[?!]?[^\n]{0,200}(?:\bdo\b|\{)|\.expect\b|\bis_expected\b/g,
    calls:
      /^[ \t]*(?:it|specify|test|should|example|scenario|its|xit|fit|describe_test)\b[ \t]?(?:\(?["':\w]|do\b|\{)/gm,
    body: 'end',
    asserts:
      /(?<![\w.])(?:assert|refute|expect|is_expected|should|must|wont|flunk|verify|check|ensure_that|allow_\w{1,40}_to_fail)\w{0,60}[?!]?(?=[\s({])/g,
    suffixes: /\.(?:should\w{0,40}|must_\w{1,60}|wont_\w{1,60}|to_not|not_to|to|verify)\b/g,
    fails: /(?<![\w.])(?:flunk|raise|fail|abort)\b/g,
    neutral: [
      'self',
      'to',
      'do',
      'end',
      'not',
      'and',
      'or',
      'if',
      'unless',
      'then',
      'is_expected',
      'eq',
      'be',
      'eql',
      'equal',
      'be_nil',
      'not_to',
      'to_not',
      'be_truthy',
      'be_falsey',
      'be_falsy',
      'be_empty',
    ],
    bare: true,
  },
  PHP: {
    // PHPUnit, Pest, Codeception, Mockery, Prophecy.
    named: /^test\w/,
    always:
      /\b(?:expectException\w{0,30}|expectError\w{0,30}|expectDeprecation\w{0,30}|expectNotToPerformAssertions|expectOutput\w{0,20}|shouldThrow|toThrow)\s{0,9}\(/g,
    marked: /@test\b|#\[(?:\\?\w{1,40}\\){0,6}(?:Test|TestWith|DataProvider)\b/,
    expects: /@expectedException|@doesNotPerformAssertions/,
    calls: /(?<![\w$>:])(?:it|test)\s{0,9}\(/g,
    body: 'parentheses',
    asserts:
      /(?<![\w$])(?:(?:\$this\s{0,9}->|self::|static::|parent::|Assert::|PHPUnit::|\$\w{1,40}->)\s{0,9}(?:assert|expect|fail|see|dontSee|check|verify|should|addToAssertionCount|markTest)\w{0,60}|(?:assert|expect|verify|check|ensure|should|must)\w{0,60})\s{0,9}(?=\()/g,
    suffixes:
      /->\s{0,9}(?:should\w{0,60}|assert\w{1,60}|toBe\w{0,60}|toEqual\w{0,40}|toThrow|toHave\w{0,60}|toContain|expects|shouldBe\w{0,60}|willReturn|with|once|never)\s{0,9}\(/g,
    fails: /(?:\$this\s{0,9}->|self::|static::|Assert::)\s{0,9}fail\s{0,9}\(|(?<![\w$>])throw\s/g,
    neutral: ['$this', 'this', 'self', 'static', 'Assert', 'new'],
  },
  Rust: {
    // The built-in harness, tokio, rstest, proptest, insta, trybuild.
    marked:
      /#\[(?:\w{1,40}::){0,4}(?:test|rstest|test_case|quickcheck|proptest|wasm_bindgen_test|case|apply|traced_test|gtest|googletest)\b/,
    expects: /#\[should_panic/,
    calls: /(?<![\w])(?!macro_rules)\w{0,40}test\w{0,40}!\s{0,9}[({]/g,
    body: 'parentheses',
    asserts:
      /(?<![\w])(?:\w{1,40}::){0,4}(?:debug_|prop_|static_|k9::)?(?:assert|expect_that|verify|check|expect|ensure)\w{0,60}!?\s{0,9}(?=[({[])|\.(?:compile_fail|pass|assert|success|failure)\s{0,9}(?=\()/g,
    suffixes: /\.(?:assert\w{0,60}|should\w{0,40}|unwrap_err|expect_err)\s{0,9}\(/g,
    fails: /(?<![\w])(?:panic|unreachable|todo|bail)!\s{0,9}[({[]|\bstd::process::exit\b|\bErr\s{0,9}\(/g,
    neutral: ['self', 'Self', 'std', 'crate', 'super', 'as', 'u8', 'u16', 'u32', 'u64', 'i32', 'i64', 'usize'],
  },
  Shell: {
    // bats, shunit2, shellspec, urchin: a command that fails is one.
    calls: /^[ \t]*(?:@test\s|It\s|Example\s|Specify\s)/gm,
    body: 'braces',
    named: /^test/,
    asserts:
      /(?<![\w.@-])(?:\[\[?\s|test\s|assert\w{0,60}|refute\w{0,40}|diff\s|cmp\s|grep\s|egrep\s|fail\w{0,20}|die\b|expect\w{0,40}|The\s|check\w{0,40})/g,
    fails: /(?<![\w.-])(?:exit [1-9]|return [1-9]|die|fail|false)\b/g,
    bare: true,
  },
};

const cxx: TestFramework = {
  // GoogleTest, Catch2, doctest, Boost.Test, CppUnit, Qt Test, Check, cmocka, Unity, Criterion.
  named: /^test(?:_|[A-Z])/,
  declared: /\(\s{0,9}(?:void\s{0,9}(?:\*\s{0,9}\*?\s{0,9}\w{1,30})?)?\s{0,9}\)/,
  calls:
    /^[ \t]*(?:TEST|TEST_F|TEST_P|TEST_CASE|TEST_CASE_METHOD|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE(?:_DEFINE)?|TEST_METHOD|TEST_GROUP_\w{1,20}|TYPED_TEST(?:_P)?|TEMPLATE_\w{1,40}|SCENARIO\w{0,40}|BOOST_\w{0,20}TEST_CASE\w{0,30}|BOOST_FIXTURE_TEST_CASE|START_TEST|CTEST\w{0,10}|Test|ParameterizedTest|DOCTEST_TEST_CASE|TEST_CASE_\w{1,30}|MU_TEST|FIXTURE_TEST_CASE|QUICK_TEST)\s{0,9}\(/gm,
  body: 'braces',
  asserts:
    /(?<![\w])(?:(?:ASSERT|EXPECT|CHECK|REQUIRE|STATIC_REQUIRE|BOOST_(?:CHECK|REQUIRE|TEST|WARN)|BOOST_TEST|TEST_ASSERT|TEST_CHECK|CU_ASSERT|CPPUNIT_ASSERT|QVERIFY|QCOMPARE|VERIFY|DOCTEST_CHECK|DOCTEST_REQUIRE|ck_assert|mu_assert|cr_assert|cr_expect|munit_assert|zassert|g_assert|STRCMP|LONGS|POINTERS|DOUBLES|MEMCMP|assert|expect|verify|check|require|test_cond|fail_unless|fail_if|ensure|static_assert)\w{0,60})\s{0,9}(?=\()/g,
  fails:
    /(?<![\w])(?:FAIL\w{0,20}|ADD_FAILURE\w{0,10}|BOOST_(?:FAIL|ERROR)|abort|exit|_exit|fail|GTEST_FAIL|TEST_FAIL\w{0,20}|perror|die)\s{0,9}\(|\bthrow\s|\breturn\s{0,9}-?[1-9]/g,
  neutral: [
    'std',
    'size_t',
    'int',
    'char',
    'double',
    'float',
    'u8',
    'nullptr',
    'NULL',
    'sizeof',
    'static_cast',
    'const',
    'unsigned',
    'long',
  ],
};

/** Of a language whose runners are not known: words that all of them have. */
const other: TestFramework = {
  asserts:
    /(?<![\w$])\w{0,40}(?:assert|expect|should|verify|check|require|ensure|equal|test|fail|ok|is)\w{0,40}[?!]?[\s({]/gi,
  fails: /(?<![\w])(?:fail|die|abort|error|throw|raise|exit)\b/gi,
  bare: true,
};

/** What is known of a language's tests, by linguist's name. */
export const testFramework = (linguist: string | null): TestFramework =>
  linguist === 'C' || linguist === 'C++' ? cxx : (frameworks[linguist ?? ''] ?? other);
