// Which macros there are for a link's template, and which of them the advertiser link has now.
import { MACROS } from '@tributary/contract/macros'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SectionProps } from '../../entities/form-parts.ts'
import type { FormRow } from '../../entities/form-row.ts'
import { notifySuccess } from '../../ui/notify.ts'
import classes from './offer-partner-form.module.css'

export function MacroChips({ row }: SectionProps) {
  const { t } = useTranslation()
  const [template, link] = useWatch<FormRow>({ name: ['advertiser_link_template', 'advertiser_link'] })
  const text = [template, link].find((found): found is string => typeof found === 'string' && found !== '') ?? ''
  // Whoever does not see the advertiser link has no use for its macros.
  if (row !== null && text === '') return null
  const copy = (macro: string) =>
    void navigator.clipboard?.writeText(macro).then(() => notifySuccess(t(($) => $.actions.copied)))
  return (
    <section className={classes.below}>
      <h3 className={classes.title}>{t(($) => $.nouns.macros.title)}</h3>
      <p className={classes.text}>{t(($) => $.nouns.macros.text)}</p>
      <div className={classes.chips}>
        {MACROS.map((name) => {
          const macro = `{${name}}`
          return (
            <button
              type="button"
              key={name}
              className={classes.chip}
              data-used={text.includes(macro) || undefined}
              aria-label={t(($) => $.nouns.macros.copy, { macro })}
              onClick={() => copy(macro)}
            >
              {macro}
            </button>
          )
        })}
      </div>
    </section>
  )
}
