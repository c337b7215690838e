// The sections of a form, as tabs if there are several; each shows its number of errors or missing required fields.
import { Button, Tabs, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AccessHolder, isAllowed } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { EntityFormSection } from '@tributary/contract/entity'
import { isEmpty } from '@tributary/contract/validate'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { memo, useContext, useDeferredValue, useMemo, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { holderOf, useProfile } from '../../data/profile.ts'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { entityName, entityOf, fieldAt, fieldOf } from '../field/field-at.ts'
import { RowView } from '../field/row-view.tsx'
import type { Row } from '../list/list-query.ts'
import type { Search } from '../list/list-state.ts'
import { CollectionField } from './collection-field.tsx'
import { ForeignRows } from './foreign-rows.tsx'
import classes from './form.module.css'
import { sectionsAt } from './form-change.ts'
import { FormField } from './form-field.tsx'
import { type FormRow, toWireValue } from './form-row.ts'
import { FormSlotsContext } from './form-slots.ts'

interface SectionControl {
  readonly sections: readonly EntityFormSection[]
  readonly current: string
  readonly show: (section: string) => void
}

/** The sections that the user may see; a collection needs the permission to view its rows. */
function useSections(name: EntityName): readonly EntityFormSection[] {
  const profile = useProfile()
  return useMemo(() => {
    const holder = holderOf(profile)
    return entityOf(name)
      .form.map((section) => ({ ...section, fields: section.fields.filter((path) => mayShow(name, path, holder)) }))
      .filter(({ fields }) => fields.length > 0)
  }, [name, profile])
}

function mayShow(name: EntityName, path: string, holder: AccessHolder): boolean {
  const found = fieldAt(name, path)
  if (found === null) return false
  return found.field.kind !== 'children' || isAllowed(entityOf(entityName(found.field.of)).access.view, holder)
}

/** The visible sections and the open one, which the address holds. */
export function useSection(name: EntityName): SectionControl {
  const sections = useSections(name)
  const navigate = useNavigate()
  const { tab }: Search = useSearch({ strict: false })
  const current = sections.find((section) => section.name === tab) ?? sections[0]
  const show = (section: string) =>
    void navigate({ to: '.', search: (before: Search) => ({ ...before, tab: section }), replace: true })
  return { sections, current: current?.name ?? '', show }
}

interface FormSectionsProps {
  name: EntityName
  row: Row | null
  isLocked: boolean
}

/** The sections of a form. `row` is null for a new row. */
export function FormSections({ name, row, isLocked }: FormSectionsProps) {
  const { newFields } = useContext(FormSlotsContext)
  const [isWhole, setWhole] = useState(false)
  const { errors } = useFormState<FormRow>()
  const first = useSections(name)[0]
  // A field with an error is never hidden.
  const isShort = row === null && !isWhole && Object.keys(errors).every((path) => newFields?.includes(path))
  if (newFields === undefined || first === undefined || !isShort)
    return <AllSections name={name} row={row} isLocked={isLocked} />
  const section = { ...first, fields: newFields.filter((path) => first.fields.includes(path)) }
  return <SectionCard name={name} row={row} isLocked={isLocked} section={section} onMore={() => setWhole(true)} />
}

/** The sections, or the fields that were searched for. */
function AllSections(props: FormSectionsProps) {
  const { isSearched, lead: Lead } = useContext(FormSlotsContext)
  const [sought, setSought] = useState('')
  const search = isSearched ? <FieldSearch sought={sought} onSearch={setSought} /> : null
  return (
    <>
      {Lead === undefined ? null : <Lead row={props.row} />}
      {search}
      {sought.trim() === '' ? <SectionTabs {...props} /> : <FoundFields {...props} sought={sought} />}
    </>
  )
}

function FieldSearch({ sought, onSearch }: { sought: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation()
  return (
    <TextInput
      className={classes.search ?? ''}
      data-search
      type="search"
      aria-label={t(($) => $.engine.findField)}
      placeholder={t(($) => $.engine.findField)}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={sought}
      onChange={(event) => onSearch(event.currentTarget.value)}
    />
  )
}

/** The fields whose label, definition or section has all words, under the names of their sections. */
function FoundFields({ name, row, isLocked, sought }: FormSectionsProps & { sought: string }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const definitions = useDefinitions()
  const { sections } = useSection(name)
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (section: string, path: string) => {
    const meaning = (definitions && fieldDefinition(definitions, name, path)) ?? ''
    const text = `${labels.section(section)} ${labels.field(name, path)} ${meaning}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = sections
    .map((section) => ({ ...section, fields: section.fields.filter((path) => isFound(section.name, path)) }))
    .filter(({ fields }) => fields.length > 0)
  if (found.length === 0) return <p className={classes.note}>{t(($) => $.engine.noField)}</p>
  return found.map((section) => (
    <section key={section.name} className={classes.card} aria-label={labels.section(section.name)}>
      <h2 className={classes.sectionTitle}>{labels.section(section.name)}</h2>
      <SectionFields name={name} row={row} isLocked={isLocked} section={section} />
    </section>
  ))
}

/** On a phone the chosen tab may lie outside the line of tabs. */
const showTab = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

function SectionTabs({ name, row, isLocked }: FormSectionsProps) {
  const labels = useLabels()
  const { sections, current, show } = useSection(name)
  // Sections without inputs list rows that refer to this row, so a new row has none.
  const shown = row === null ? sections.filter((section) => hasInput(name, section)) : sections
  const only = shown[0]
  const open = shown.find((section) => section.name === current) ?? only
  // The tab answers at once; the fields of its section follow right after.
  const drawnName = useDeferredValue(open?.name)
  const section = shown.find(({ name: own }) => own === drawnName) ?? open
  if (shown.length === 1 && only) return <SectionCard name={name} row={row} isLocked={isLocked} section={only} />
  return (
    <Tabs value={open?.name ?? ''} onChange={(tab) => show(tab ?? '')}>
      <Tabs.List className={classes.tabs ?? ''}>
        {shown.map((section) => (
          <Tabs.Tab key={section.name} value={section.name} ref={section.name === open?.name ? showTab : undefined}>
            <span className={classes.tab}>
              {labels.section(section.name)}
              {isLocked ? null : <SectionFlag name={name} section={section} isNew={row === null} />}
            </span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {open === undefined || section === undefined ? null : (
        <Tabs.Panel value={open.name}>
          <SectionCard key={section.name} name={name} row={row} isLocked={isLocked} section={section} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

const hasInput = (name: EntityName, { fields }: EntityFormSection): boolean =>
  fields.some((path) => {
    const field = fieldOf(name, path)
    return field !== undefined && !field.readOnly && (field.kind !== 'children' || field.owned === true)
  })

/** Shows a number of errors, or a dot for an empty required field. */
function SectionFlag({ name, section, isNew }: { name: EntityName; section: EntityFormSection; isNew: boolean }) {
  const { t } = useTranslation()
  const slots = useContext(FormSlotsContext)
  const { errors, isSubmitted } = useFormState<FormRow>()
  const values = useWatch<FormRow>()
  const wrong = isSubmitted ? (sectionsAt([section], Object.keys(errors)).get(section.name) ?? 0) : 0
  const words = t(($) => $.engine.sectionErrors, { count: wrong })
  if (wrong > 0)
    return (
      <span className={classes.flag} title={words}>
        <span aria-hidden>{wrong}</span>
        <span className={classes.hidden}>{words}</span>
      </span>
    )
  const isMissing = section.fields.some((path) => {
    const field = fieldOf(name, path)
    const isFilled = isNew && slots.fields?.[path]?.filledBy !== undefined
    return field?.required && !field.readOnly && !isFilled && isEmpty(toWireValue(field, values[path]))
  })
  return isMissing ? (
    <span className={classes.todo} title={t(($) => $.form.required)}>
      <span className={classes.hidden}>{t(($) => $.form.required)}</span>
    </span>
  ) : null
}

interface SectionCardProps extends FormSectionsProps {
  section: EntityFormSection
  /** Shows the fields that a new row does not begin with. */
  onMore?: () => void
}

/** Not rendered again while another tab is chosen. */
const SectionCard = memo(function SectionCard({ name, row, isLocked, section, onMore }: SectionCardProps) {
  const { t } = useTranslation()
  const slots = useContext(FormSlotsContext)
  const isFirst = entityOf(name).form[0]?.name === section.name
  const Beside = row === null && isFirst ? slots.besideNew : undefined
  const Above = slots.above?.[section.name]
  const Below = slots.below?.[section.name]
  return (
    <div className={Beside ? `${classes.card} ${classes.withAside}` : classes.card}>
      <div>
        {Above ? <Above row={row} /> : null}
        <SectionFields name={name} row={row} isLocked={isLocked} section={section} />
        {onMore === undefined ? null : (
          <Button variant="subtle" size="compact-sm" mt={14} onClick={onMore}>
            {t(($) => $.engine.moreFields)}
          </Button>
        )}
        {Below ? <Below row={row} /> : null}
      </div>
      {Beside ? (
        <aside>
          <Beside row={row} />
        </aside>
      ) : null}
    </div>
  )
})

function SectionFields({ name, row, isLocked, section }: FormSectionsProps & { section: EntityFormSection }) {
  const slots = useContext(FormSlotsContext)
  const isFirst = entityOf(name).form[0]?.name === section.name
  const hasSwitch = isFirst && row !== null && entityOf(name).hasActive
  const fields = hasSwitch ? [...section.fields, 'active'] : section.fields
  const scalars = fields.filter((path) => fieldOf(name, path)?.kind !== 'children')
  return (
    <div className={classes.grid}>
      {isLocked && row !== null ? (
        <div className={classes.wide}>
          <RowView name={name} row={row} fields={scalars} />
        </div>
      ) : null}
      {fields.map((path) => {
        const field = fieldOf(name, path)
        if (field === undefined) return null
        if (field.kind === 'children' && (isLocked || !field.owned))
          return (
            <div key={path} className={classes.wide}>
              <ForeignRows parent={name} name={path} field={field} rows={row?.[path]} isAlone={fields.length === 1} />
            </div>
          )
        if (isLocked) return null
        if (field.kind === 'children')
          return (
            <div key={path} className={classes.wide}>
              <CollectionField
                parent={name}
                name={path}
                path={path}
                field={field}
                isLocked={false}
                isAlone={fields.length === 1}
              />
            </div>
          )
        const isWide =
          slots.fields?.[path]?.isWide === true ||
          field.kind === 'derived' ||
          (field.kind === 'text' && /^(long|template)$/.test(field.format ?? 'plain'))
        return (
          <div key={path} className={isWide ? classes.wide : undefined}>
            <FormField entity={name} name={path} path={path} field={field} isNew={row === null} isLocked={false} />
          </div>
        )
      })}
    </div>
  )
}
