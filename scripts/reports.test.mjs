import { expect, test } from 'vitest'
import { closeOutcome, failedFiles, readPlaywright, readVitest, readVitestTwice, summarize } from './reports.mjs'

const vitestFile = (/** @type {string[]} */ ...statuses) => ({
  name: 'a.test.ts',
  status: statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
  assertionResults: statuses.map((status, index) => ({ fullName: `case ${index}`, status })),
})

test('a skipped or to-do test counts as a failure, never as nothing [SYS-01]', () => {
  const outcome = readVitest('server', { testResults: [vitestFile('passed', 'skipped', 'todo', 'failed')] })
  expect(outcome.passed).toBe(1)
  expect(outcome.failures).toHaveLength(3)
})

test('a file that does not load is one failure with its reason [SYS-01]', () => {
  const broken = { name: 'b.test.ts', status: 'failed', message: 'Cannot find module x', assertionResults: [] }
  const outcome = readVitest('server', { testResults: [vitestFile('passed'), broken] })
  expect(outcome).toEqual({ suite: 'server', passed: 1, failures: ['b.test.ts\n    Cannot find module x'] })
})

test('a file that failed once and passed its second run is passed and listed as flaky; one that fails again has failed [SYS-01]', () => {
  const named = (/** @type {string} */ name, /** @type {string[]} */ ...statuses) => ({
    ...vitestFile(...statuses),
    name,
  })
  const broken = { name: 'c.test.ts', status: 'failed', message: 'no port', assertionResults: [] }
  const first = {
    testResults: [vitestFile('passed'), named('b.test.ts', 'passed', 'failed'), broken, named('d.test.ts', 'failed')],
  }
  expect(failedFiles(first)).toEqual(['b.test.ts', 'c.test.ts', 'd.test.ts'])
  const second = {
    testResults: [named('b.test.ts', 'passed', 'passed'), named('c.test.ts', 'passed'), named('d.test.ts', 'failed')],
  }
  expect(readVitestTwice('server', first, second)).toEqual({
    suite: 'server',
    passed: 4,
    failures: ['case 0\n    failed'],
    flaky: ['case 1\n    failed', 'c.test.ts\n    no port'],
  })
})

test('a suite that ran nothing or ended badly has failed [SYS-01]', () => {
  expect(closeOutcome(readVitest('web', {}), 0).failures).toEqual(['the suite ran no test'])
  expect(closeOutcome(readVitest('web', { testResults: [vitestFile('passed')] }), 1).failures).toHaveLength(1)
  expect(closeOutcome(readVitest('web', { testResults: [vitestFile('passed')] }), 0).failures).toEqual([])
})

test('browser tests count in nested groups; skipped ones and errors outside of tests are failures, flaky ones are listed [SYS-01]', () => {
  const outcome = readPlaywright('e2e', {
    errors: [{ message: 'the set-up threw' }],
    suites: [
      {
        title: 'story.spec.ts',
        specs: [{ title: 'signs in', tests: [{ status: 'expected' }] }],
        suites: [
          {
            title: 'reports',
            specs: [
              { title: 'sorts', tests: [{ status: 'flaky', results: [{ error: { message: 'too late' } }, {}] }] },
              { title: 'opens', tests: [{ status: 'unexpected', results: [{ error: { message: 'no row' } }] }] },
              { title: 'waits', tests: [{ status: 'skipped' }] },
            ],
          },
        ],
      },
    ],
  })
  expect(outcome.passed).toBe(2)
  expect(outcome.failures).toHaveLength(3)
  expect(outcome.failures[1]).toBe('story.spec.ts › reports › opens\n    no row')
  expect(outcome.flaky).toEqual(['story.spec.ts › reports › sorts\n    too late'])
  expect(summarize([outcome]).lines[0]).toBe('flaky: e2e › story.spec.ts › reports › sorts\n    too late')
})

test('the closing line sums every suite and stands alone at the end [SYS-01]', () => {
  const green = summarize([
    { suite: 'checks', passed: 9, failures: [] },
    { suite: 'server', passed: 21, failures: [] },
  ])
  expect(green.lines.at(-1)).toBe('30 passed, 0 failed')
  expect(green.isGreen).toBe(true)
  const red = summarize([{ suite: 'server', passed: 2, failures: ['a', 'b'] }])
  expect(red.lines.at(-1)).toBe('2 passed, 2 failed')
  expect(red.isGreen).toBe(false)
  expect(summarize([]).isGreen).toBe(false)
})
