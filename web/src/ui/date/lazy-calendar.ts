// Calendars are downloaded before the first one opens.
import { lazyComponent } from '../../lib/lazy-component.tsx'

export const LazyDayCalendar = lazyComponent('calendar', async () => (await import('./calendar.tsx')).DayCalendar)
