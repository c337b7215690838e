// Which macros the advertiser link has, and which it has not: the first are copied, the others added to the link's own template.
import { IconCheck, IconPlus } from '@tabler/icons-react'
import { buildAdvertiserTemplate, MACROS, type Macro } from '@tributary/contract/macros'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import { addMacro } from '../../entities/testers/built-link.ts'
import { notifySuccess } from '../../ui/notify.ts'
import classes from './offer-partner-form.module.css'

/** The macros of every link that has no template of its own. */
const BUILT = buildAdvertiserTemplate({ domain: '' })

export function MacroChips({ row }: SectionProps) {
  const { t } = useTranslation()
  const { setValue } = useFormContext<FormRow>()
  const [template, link] = useWatch<FormRow>({ name: ['advertiser_link_template', 'advertiser_link'] })
  const text = [template, link].find((found): found is string => typeof found === 'string' && found !== '') ?? ''
  // Whoever does not see the advertiser link has no use for its macros.
  if (row !== null && text === '') return null
  // In the link as it is read, what is fixed for it stands in its macro's place.
  const known = typeof template === 'string' && template !== '' ? template : text + BUILT
  const isIn = (name: Macro) => known.includes(`{${name}}`) || known.includes(`{${name}|`)
  const copy = (macro: string) =>
    void navigator.clipboard?.writeText(macro).then(() => notifySuccess(t(($) => $.actions.copied)))
  const add = (name: Macro) =>
    setValue('advertiser_link_template', addMacro(text, name), { shouldDirty: true, shouldValidate: true })
  return (
    <section className={classes.below} aria-label={t(($) => $.nouns.macros.title)}>
      <h3 className={classes.title}>{t(($) => $.nouns.macros.title)}</h3>
      <p className={classes.text}>{t(($) => $.links.macrosText)}</p>
      <div className={classes.macroGroups}>
        <div>
          <h4 className={classes.kind}>{t(($) => $.links.macrosIn)}</h4>
          <div className={classes.chips}>
            {MACROS.filter(isIn).map((name) => (
              <button
                type="button"
                key={name}
                className={classes.chip}
                data-used
                aria-label={t(($) => $.nouns.macros.copy, { macro: `{${name}}` })}
                onClick={() => copy(`{${name}}`)}
              >
                <IconCheck size={12} aria-hidden /> {`{${name}}`}
              </button>
            ))}
          </div>
        </div>
        <div>
          <h4 className={classes.kind}>{t(($) => $.links.macrosMissing)}</h4>
          <div className={classes.chips}>
            {MACROS.filter((name) => !isIn(name)).map((name) => (
              <button
                type="button"
                key={name}
                className={classes.chip}
                disabled={text === ''}
                aria-label={t(($) => $.links.addMacro, { macro: `{${name}}` })}
                onClick={() => add(name)}
              >
                <IconPlus size={12} aria-hidden /> {`{${name}}`}
              </button>
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}
