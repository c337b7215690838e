// The number of a record without a name of its own, as people of the language write it.
import { currentLanguage } from './language.ts'

/** '#338', in Russian '№ 338'. */
export const recordNumber = (id: unknown): string =>
  currentLanguage() === 'ru' ? `№\u00a0${String(id)}` : `#${String(id)}`
