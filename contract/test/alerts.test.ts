import { expect, test } from 'vitest'
import { ALERT_NAMES, alertKind } from '../alerts.ts'

test('alerts of a more urgent tone stand before the others [NAV-10]', () => {
  const URGENCY = ['negative', 'warning', 'accent'] as const
  const places = ALERT_NAMES.map((name) => URGENCY.indexOf(alertKind(name).tone))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
