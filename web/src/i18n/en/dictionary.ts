// All English words but those of reports. Their keys must exist in every other language.
import { firstEn } from './first.ts'
import { screensEn } from './screens.ts'

export const en = { ...firstEn, ...screensEn }
