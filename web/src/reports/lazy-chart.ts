// Charts come when they are first drawn: their code is as much as that of a whole screen.
import { lazy } from 'react'
import { loadPart } from '../lib/lazy-part.ts'

const load = () => import('./series-chart.tsx')

export const SeriesChart = lazy(() => loadPart('chart', load).then((part) => ({ default: part.SeriesChart })))

/** For a screen that will draw one as soon as its numbers have come. What fails here is met, and told, when it is drawn. */
export function fetchChart(): void {
  load().catch(() => undefined)
}
