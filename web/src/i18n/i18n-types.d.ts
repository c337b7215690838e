// Makes `t` know every key: `t(($) => $.actions.save)`.
import type { reportsEn } from './en/reports.ts'
import type { English } from './shape.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    enableSelector: true
    resources: { translation: English; reports: typeof reportsEn }
  }
}
