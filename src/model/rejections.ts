/** Why a commit becomes no task instance, in the order in which it is looked at, by what those that are left have. */
export const rejectionsByStage = {
  /** It changes source and tests, and little enough. */
  change: {
    root: 'has nothing before it',
    empty: 'changes no file',
    revert: 'takes another commit back',
    bot: 'is the work of a bot',
    version_bump: 'announces a version',
    path_not_utf8: 'has a file whose name is not UTF-8',
    too_large: 'changes too many lines of source',
    lockfile_only: 'changes only lockfiles, generated or vendored files',
    docs_only: 'changes only documentation',
    inline_tests: 'has its tests in the files that they test',
    no_tests: 'changes no test',
    tests_deleted_only: 'only deletes tests',
    no_code: 'changes no source code beside its tests',
    submodule: 'moves a submodule',
    symlink: 'changes a symlink',
    lfs: 'has contents that are kept elsewhere (LFS)',
    binary: 'changes a binary file that is no test',
    too_many_files: 'changes too many source files',
    format_only: 'changes only white space in its source',
  },
  /** It says what was wrong, once, and does not give the solution away. */
  statement: {
    short_statement: 'says too little of what was wrong',
    solution_leak: 'gives the solution away in what it says',
    duplicate: 'repeats the patch of another commit',
  },
  /** Its tests can be run at its base. */
  tests_run: {
    not_utf8: 'has a patch that is no UTF-8 text',
    tree_mismatch: 'is not what its patches make of its base',
    no_runner: 'has a base whose way of running tests is not known',
    setup_failed: 'has a base whose setup fails',
    base_failed: 'has a base at which no test passes',
    environment_incomplete:
      'has tests that can’t be loaded with what its setup installs and the submodules that are at hand',
  },
  /** Its tests fail without the fix and pass with it, each time. */
  proof: {
    no_fail_before: 'has tests that all pass without the fix',
    no_fail_to_pass: 'has no test that fails before and passes after',
    timeout: 'has tests that take too long',
    out_of_memory: 'has tests that take more memory than they may',
    no_report: 'has tests whose report can’t be read',
    gold_breaks: 'breaks tests that passed without it',
    flaky: 'has only tests that don’t give the same result each time',
    unspecified_symbols: 'has tests that need names which nothing but the solution tells',
    control_failed: 'is not told from an empty patch, or its own patch does not solve it',
  },
} as const;
export type RejectionStage = keyof typeof rejectionsByStage;

/** All of them with their meaning. */
export const rejections = {
  ...rejectionsByStage.change,
  ...rejectionsByStage.statement,
  ...rejectionsByStage.tests_run,
  ...rejectionsByStage.proof,
};
export type Rejection = keyof typeof rejections;

/** How many commits were left at each reason. */
export type Rejected = Partial<Record<Rejection, number>>;
