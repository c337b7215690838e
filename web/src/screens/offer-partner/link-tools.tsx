// Below the links of a partner offer: a builder of the tracking link, and a tester that follows a visitor's redirect.
import { Select, TextInput } from '@mantine/core'
import { IconCheck, IconPlus } from '@tabler/icons-react'
import { buildAdvertiserTemplate, MACROS, type Macro } from '@tributary/contract/macros'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import {
  addMacro,
  type BuiltLink,
  buildLink,
  LINK_PARAMETERS,
  NO_BUILT_LINK,
} from '../../entities/testers/built-link.ts'
import { LinkTester } from '../../entities/testers/link-tester.tsx'
import { LinkField } from '../../ui/link-field.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import classes from './offer-partner-form.module.css'

/** The macros of every link without a template of its own. */
const BUILT = buildAdvertiserTemplate({ domain: '' })

/** Macros of the advertiser link: present ones are copied, missing ones are added to the partner offer's own template. */
function MacroChips({ row }: SectionProps) {
  const { t } = useTranslation()
  const { setValue } = useFormContext<FormRow>()
  const [template, link] = useWatch<FormRow>({ name: ['advertiser_link_template', 'advertiser_link'] })
  const text = [template, link].find((found): found is string => typeof found === 'string' && found !== '') ?? ''
  // Users who do not see the advertiser link do not need its macros.
  if (row !== null && text === '') return null
  // The displayed link has fixed values in place of some macros, so the template's macros are added.
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

const landingsOf = (value: unknown): { value: string; label: string }[] =>
  (Array.isArray(value) ? (value as { id: number; title: string; value?: string | null }[]) : []).map(
    ({ id, title, value: path }) => ({ value: String(id), label: path ? `${title} · ${path}` : title }),
  )

export function LinkTools({ row }: SectionProps) {
  const [link, landings] = useWatch<FormRow>({ name: ['partner_link', 'landings'] })
  const [built, setBuilt] = useState<BuiltLink>(NO_BUILT_LINK)
  const isStaff = useProfile().role.kind !== 'PARTNER'
  return (
    <>
      <MacroChips row={row} />
      {row === null || typeof link !== 'string' ? null : (
        <>
          <LinkBuilder link={link} landings={landingsOf(landings)} built={built} onChange={setBuilt} />
          {isStaff ? <LinkTester id={row.id as number} built={built} /> : null}
        </>
      )}
    </>
  )
}

interface LinkBuilderProps {
  link: string
  landings: { value: string; label: string }[]
  built: BuiltLink
  onChange: (built: BuiltLink) => void
}

function LinkBuilder({ link, landings, built, onChange }: LinkBuilderProps) {
  const { t } = useTranslation()
  return (
    <section className={classes.below} aria-label={t(($) => $.links.builder)}>
      <h3 className={classes.title}>{t(($) => $.links.builder)}</h3>
      <p className={classes.text}>{t(($) => $.links.builderText)}</p>
      <div className={classes.builder}>
        <Select
          label={t(($) => $.links.landing)}
          placeholder={t(($) => $.links.firstLanding)}
          data={landings}
          value={built.landing}
          clearable
          searchable
          nothingFoundMessage={t(($) => $.select.nothing)}
          onChange={(landing) => onChange({ ...built, landing })}
        />
        {LINK_PARAMETERS.map((name) => (
          <TextInput
            key={name}
            label={t(($) => $.links.parameters[name])}
            placeholder={name}
            autoComplete="off"
            spellCheck={false}
            value={built.parameters[name] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...built, parameters: { ...built.parameters, [name]: value } })
            }
          />
        ))}
      </div>
      <LinkField value={buildLink(link, built)} label={t(($) => $.links.builder)} />
    </section>
  )
}
