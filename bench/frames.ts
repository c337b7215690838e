// Measures the work of a page in a browser, and the times between its frames.

import type { Page } from '@playwright/test'

/** Reads how many milliseconds the page's main thread has worked. */
export async function watchCpu(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
}

interface Scroll {
  readonly frames: number
  readonly stepPx: number
}

/** Times between frames during scrolling. */
export function measureScroll(page: Page, table: string, scroll: Scroll): Promise<number[]> {
  return page.evaluate(
    async ([frames, step, selector]) => {
      const box = document.querySelector(selector)?.parentElement
      if (!box) throw new Error('no table on the page')
      const times: number[] = []
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      for (let frame = 0; frame < frames; frame++) {
        box.scrollTop += step
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
        times.push(now - last)
        last = now
      }
      return times
    },
    [scroll.frames, scroll.stepPx, table] as const,
  )
}
