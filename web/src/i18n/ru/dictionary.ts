// All Russian words but those of reports.
import { firstRu } from './first.ts'
import { screensRu } from './screens.ts'

export const ru = { ...firstRu, ...screensRu }
