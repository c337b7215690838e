// The second half of the routes.
import { test } from '@playwright/test'
import { checkHalf } from './axe-routes.ts'

// A second try would take as long and find the same.
test.describe.configure({ retries: 0 })

test('axe finds nothing serious on the second half of the routes, their menus and both themes [NAV-10]', ({
  browser,
}) => checkHalf(browser, 1))
