// Brings the screen and its words at the same time: nothing is shown untranslated.
import { withRecordWords } from '../../i18n/language.ts'

export const openSettings = withRecordWords(async () => ({
  default: (await import('./settings-screen.tsx')).SettingsScreen,
}))
