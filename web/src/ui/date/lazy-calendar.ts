// Downloads the calendar before it first opens.
import { lazyComponent } from '../../lib/lazy-component.tsx'

export const LazyDayCalendar = lazyComponent('day calendar', async () => (await import('./calendar.tsx')).DayCalendar)
