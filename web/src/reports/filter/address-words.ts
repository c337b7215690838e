// Names the parameters of a report's address in words of the screen.
import { isReportFilterName } from '@tributary/contract/reports/choices'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'

/** `titles` are those of the report's own choices. A name without a word stands for itself. */
export function useAddressWords(names: readonly string[], titles: Readonly<Record<string, string>> = {}): string[] {
  const { t } = useTranslation()
  const words = useReportWords()
  const others: Readonly<Record<string, string>> = {
    ...words.address,
    from: t(($) => $.period.label),
    to: t(($) => $.period.label),
    activity: words.activity,
    baseline: words.baseline,
    ...titles,
  }
  return names.map((name) => (isReportFilterName(name) ? words.filters[name] : (others[name] ?? name)))
}
