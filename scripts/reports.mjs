// Converts the reports of test runners into one form: number of passed tests and a line for each failure.
// Skipped tests, crashes and empty suites count as failures. A test that failed once and passed its only second run counts as
// passed, and is listed as flaky with its first error.

/** @typedef {{ suite: string, passed: number, failures: string[], flaky?: string[] }} Outcome */
/** @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestCase */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: VitestCase[] }} VitestFile */
/** @typedef {{ status: string, results?: { error?: { message?: string } }[] }} BrowserRun */
/** @typedef {{ title: string, suites?: BrowserGroup[], specs?: { title: string, tests: BrowserRun[] }[] }} BrowserGroup */

/**
 * @param {string} suite
 * @param {{ testResults?: VitestFile[] }} report as `vitest --reporter=json` writes it
 * @returns {Outcome}
 */
export function readVitest(suite, report) {
  /** @type {Outcome} */
  const outcome = { suite, passed: 0, failures: [] }
  for (const file of report.testResults ?? []) {
    const before = outcome.failures.length
    for (const test of file.assertionResults) {
      if (test.status === 'passed') outcome.passed++
      else outcome.failures.push(describe(test.fullName, test.failureMessages?.[0] ?? test.status))
    }
    if (file.status !== 'passed' && outcome.failures.length === before)
      outcome.failures.push(describe(file.name, file.message || 'the file could not be run'))
  }
  return outcome
}

/** @param {{ testResults?: VitestFile[] }} report @returns {string[]} the files in which something failed */
export function failedFiles(report) {
  const files = report.testResults ?? []
  return files
    .filter((file) => file.status !== 'passed' || file.assertionResults.some(({ status }) => status !== 'passed'))
    .map(({ name }) => name)
}

/**
 * Failures of the first run that passed when their files ran again are flaky.
 * @param {string} suite
 * @param {{ testResults?: VitestFile[] }} first
 * @param {{ testResults?: VitestFile[] }} second of the failed files alone
 * @returns {Outcome}
 */
export function readVitestTwice(suite, first, second) {
  const failed = new Set(failedFiles(first))
  const failedAgain = new Set(failedFiles(second))
  const files = second.testResults ?? []
  const passedNow = files.filter(({ name }) => failed.has(name) && !failedAgain.has(name))
  const healed = new Set(passedNow.map(({ name }) => name))
  const { testResults = [] } = first
  const kept = readVitest(suite, { testResults: testResults.filter(({ name }) => !healed.has(name)) })
  const flaky = readVitest(suite, { testResults: testResults.filter(({ name }) => healed.has(name)) }).failures
  return { ...kept, passed: kept.passed + readVitest(suite, { testResults: passedNow }).passed, flaky }
}

/**
 * @param {string} suite
 * @param {{ suites?: BrowserGroup[], errors?: { message?: string }[] }} report as `playwright test --reporter=json` writes it
 * @returns {Outcome}
 */
export function readPlaywright(suite, report) {
  /** @type {Outcome} */
  const outcome = { suite, passed: 0, failures: [], flaky: [] }
  for (const error of report.errors ?? []) outcome.failures.push(describe('outside a test', error.message ?? 'crashed'))
  for (const group of report.suites ?? []) readGroup(outcome, group, '')
  return outcome
}

/** @param {Outcome} outcome @param {BrowserGroup} group @param {string} path */
function readGroup(outcome, group, path) {
  const here = path === '' ? group.title : `${path} › ${group.title}`
  for (const spec of group.specs ?? [])
    for (const test of spec.tests) {
      const message = test.results?.find((result) => result.error)?.error?.message ?? test.status
      const described = describe(`${here} › ${spec.title}`, message)
      if (test.status === 'expected' || test.status === 'flaky') outcome.passed++
      else outcome.failures.push(described)
      if (test.status === 'flaky') outcome.flaky?.push(described)
    }
  for (const inner of group.suites ?? []) readGroup(outcome, inner, here)
}

/**
 * Adds a failure if the suite ended with an error without naming one, or ran no test.
 * @param {Outcome} outcome
 * @param {number} exitCode
 * @returns {Outcome}
 */
export function closeOutcome(outcome, exitCode) {
  if (outcome.failures.length > 0) return outcome
  if (exitCode !== 0) return { ...outcome, failures: [`the suite ended with ${exitCode} without naming a failed test`] }
  if (outcome.passed === 0) return { ...outcome, failures: ['the suite ran no test'] }
  return outcome
}

/**
 * @param {Outcome[]} outcomes
 * @returns {{ lines: string[], isGreen: boolean }} the closing text; its last line is `N passed, N failed`
 */
export function summarize(outcomes) {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failures.length, 0)
  const flaky = outcomes.flatMap(({ suite, flaky }) => (flaky ?? []).map((one) => `flaky: ${suite} › ${one}`))
  const failures = outcomes.flatMap(({ suite, failures }) => failures.map((failure) => `✗ ${suite} › ${failure}`))
  const table = outcomes.map(
    ({ suite, passed, failures }) => `${suite.padEnd(10)} ${passed} passed, ${failures.length} failed`,
  )
  return {
    lines: [...flaky, ...failures, ...table, `${passed} passed, ${failed} failed`],
    isGreen: failed === 0 && passed > 0,
  }
}

const ESC = String.fromCharCode(27)
const COLOURS = new RegExp(`${ESC}\\[[0-9;]*m`, 'g')

/** @param {string} title @param {string} message */
function describe(title, message) {
  const lines = message
    .replace(COLOURS, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [title, ...lines.slice(0, 4).map((line) => `    ${line}`)].join('\n')
}
