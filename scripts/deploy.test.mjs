// Files for operators name metrics that exist, and each alert has its section of the runbook.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './root.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8')
const source = globSync('server/src/**/*.ts', { cwd: ROOT }).map(read).join('\n')
const named = (/** @type {string} */ text) => [...new Set(text.match(/\btributary_[a-z_0-9]+/g) ?? [])]

test('alerts and dashboard use metrics of the product only [SYS-04]', () => {
  const used = [...named(read('deploy/alerts.yml')), ...named(read('deploy/grafana.json'))]
  const own = used
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => !/^tributary_(process|nodejs)_/.test(name))
  expect(own.length).toBeGreaterThan(15)
  expect(own.filter((name) => !source.includes(`'${name}'`))).toEqual([])
})

test('each alert has its section of the runbook, and each section its alert [SYS-04]', () => {
  const alerts = [...read('deploy/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const links = [...read('deploy/alerts.yml').matchAll(/runbook\.md#(\w+)/g)].map(([, name]) => name)
  const sections = [...read('docs/runbook.md').matchAll(/^## (\w+)/gm)].map(([, name]) => name)
  expect(sections).toEqual(alerts)
  expect(links).toEqual(alerts.map((name) => name?.toLowerCase()))
})
