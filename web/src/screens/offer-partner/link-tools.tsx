// Under a link's addresses: the partner's link with what they add to it, ready to copy or scan, and where it leads a visitor of one's choice.
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import { type BuiltLink, buildLink, LINK_PARAMETERS } from '../../entities/testers/built-link.ts'
import { LinkTester } from '../../entities/testers/link-tester.tsx'
import { LinkField } from '../../ui/link-field.tsx'
import { MacroChips } from './macro-chips.tsx'
import classes from './offer-partner-form.module.css'

const NOTHING: BuiltLink = { landing: null, parameters: {} }

const landingsOf = (value: unknown): { value: string; label: string }[] =>
  (Array.isArray(value) ? (value as { id: number; title: string; value?: string | null }[]) : []).map(
    ({ id, title, value: path }) => ({ value: String(id), label: path ? `${title} · ${path}` : title }),
  )

export function LinkTools({ row }: SectionProps) {
  const [link, landings] = useWatch<FormRow>({ name: ['partner_link', 'landings'] })
  const [built, setBuilt] = useState<BuiltLink>(NOTHING)
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
