// Makes `t` know every key: `t(($) => $.actions.save)`.
import type { en } from './en/dictionary.ts'
import type { reportsEn } from './en/reports.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    enableSelector: true
    resources: { translation: typeof en; reports: typeof reportsEn }
  }
}
