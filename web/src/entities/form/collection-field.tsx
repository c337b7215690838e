// Rows of another entity inside a form, saved with the parent. A row marked for deletion stays visible until then and can be restored.

import { Button, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { type CSSProperties, useContext } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { entityName, entityOf, fieldOf } from '../field/field-at.ts'
import { isEverAllowed } from '../field/requirement.ts'
import classes from './collection-field.module.css'
import { FieldMeaning, FormField } from './form-field.tsx'
import { type ChildRow, type FormRow, isNewChild, newChild } from './form-row.ts'
import { FormSlotsContext, initialOf, useFieldSlots } from './form-slots.ts'

interface CollectionFieldProps {
  /** The entity that has the collection, and the collection's name there. */
  parent: EntityName
  name: string
  path: string
  field: Extract<Field, { kind: 'children' }>
  isLocked: boolean
  /** Hides the heading, if the section has the same title. */
  isAlone?: boolean
}

/** The fields of a line: those of the entity's form except the parent, then read-only ones. Nested collections are shown below. */
function lineFields(child: EntityName, by: string): { cells: string[]; nested: string[] } {
  const { form, fields, hasActive } = entityOf(child)
  const declared = form.flatMap((section) => section.fields).filter((name) => name !== by)
  const read = Object.keys(fields).filter((name) => fields[name]?.kind === 'derived')
  const nested = Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.kind === 'children' && field.owned
  })
  const cells = [...declared.filter((name) => !nested.includes(name)), ...read, ...(hasActive ? ['active'] : [])]
  return { cells: [...new Set(cells)], nested }
}

/** Long texts get more room than numbers, days and switches. */
function trackOf(field: Field | undefined): string {
  const kind = field?.kind
  if (kind === 'boolean') return '76px'
  if (kind === 'integer' || kind === 'decimal' || kind === 'date') return 'minmax(120px, 1fr)'
  if (kind === 'choice') return 'minmax(110px, 0.7fr)'
  if (kind === 'choices') return 'minmax(210px, 1.6fr)'
  if (kind === 'text' && field?.format === 'template') return 'minmax(240px, 5fr)'
  // Keys are copied, not read, so they may be cut.
  if (kind === 'derived' && field?.shows === 'text') return 'minmax(150px, 1fr)'
  const isLong = kind === 'derived' || (kind === 'text' && field?.format === 'domain')
  return isLong ? 'minmax(220px, 3fr)' : 'minmax(150px, 1.4fr)'
}

/** The rows of a collection as lines of inputs, with a button that adds one. `path`: the collection's path in the form. */
export function CollectionField({ parent, name, path, field, isLocked, isAlone = false }: CollectionFieldProps) {
  const labels = useLabels()
  const can = useCan()
  const slots = useContext(FormSlotsContext)
  const ofField = useFieldSlots(path)
  // The library derives types from static shapes; this list of rows is known only at run time.
  const { control } = useFormContext<Record<string, ChildRow[]>>()
  const rows = useFieldArray({ control, name: path, keyName: '_line' })
  const child = entityName(field.of)
  const { access } = entityOf(child)
  const mayAdd = !isLocked && isEverAllowed(access.create) && can(access.create)
  const { cells, nested } = lineFields(child, field.by)
  const tracks = `${cells.map((cell) => trackOf(fieldOf(child, cell))).join(' ')} 34px`
  return (
    <section
      className={classes.collection}
      aria-label={labels.field(parent, name)}
      style={{ '--tracks': tracks } as CSSProperties}
    >
      {isAlone ? null : (
        <h3 className={classes.title}>
          {labels.field(parent, name)} <FieldMeaning entity={parent} name={name} />
        </h3>
      )}
      {rows.fields.length === 0 ? <NoRows /> : <Heads child={child} cells={cells} />}
      {rows.fields.map((row, index) => (
        <Line
          key={row._key}
          child={child}
          path={`${path}.${index}`}
          cells={cells}
          nested={nested}
          isLocked={isLocked || !isEverAllowed(access.edit) || !can(access.edit)}
          mayRemove={!isLocked && isEverAllowed(access.remove) && can(access.remove)}
          onDrop={() => rows.remove(index)}
        />
      ))}
      {mayAdd ? (
        <Button
          variant="default"
          mt={8}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => rows.append({ ...newChild(child, field.by), ...initialOf(slots, path) })}
        >
          {ofField.add?.(currentWords().nouns) ?? labels.create(child)}
        </Button>
      ) : null}
    </section>
  )
}

function NoRows() {
  const { t } = useTranslation()
  return <p className={classes.none}>{t(($) => $.form.noRows)}</p>
}

function Heads({ child, cells }: { child: EntityName; cells: readonly string[] }) {
  const labels = useLabels()
  const definitions = useDefinitions()
  return (
    <div className={classes.heads} aria-hidden>
      {cells.map((cell) => (
        <Tooltip key={cell} label={definitions && fieldDefinition(definitions, child, cell)} maw={320}>
          <span>
            {labels.field(child, cell)}
            <Asterisk field={fieldOf(child, cell)} />
          </span>
        </Tooltip>
      ))}
    </div>
  )
}

/** Marks required fields. A switch always has a value. */
const Asterisk = ({ field }: { field: Field | undefined }) =>
  field?.required && field.kind !== 'boolean' ? (
    <span className={classes.asterisk} aria-hidden>
      {' '}
      *
    </span>
  ) : null

interface LineProps {
  child: EntityName
  path: string
  cells: readonly string[]
  nested: readonly string[]
  isLocked: boolean
  mayRemove: boolean
  onDrop: () => void
}

function Line({ child, path, cells, nested, isLocked, mayRemove, onDrop }: LineProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { setValue, getValues } = useFormContext<FormRow>()
  const statusPath: string = `${path}._status`
  const status = useWatch<FormRow>({ name: statusPath })
  const row = getValues(path) as ChildRow | undefined
  if (row === undefined) return null
  const isNew = isNewChild(row)
  const isGone = status === 'deleted'
  const remove = () => (isNew ? onDrop() : setValue(statusPath, 'deleted', { shouldDirty: true }))
  const restore = () => setValue(statusPath, null, { shouldDirty: true })
  const label = isGone ? t(($) => $.engine.restore) : t(($) => $.actions.remove)
  return (
    <div className={isGone ? `${classes.line} ${classes.gone}` : classes.line} data-new={isNew || undefined}>
      <div className={classes.cells}>
        {cells.map((cell) => {
          const declared = fieldOf(child, cell)
          return declared === undefined ? null : (
            <div key={cell} className={classes.cell}>
              <span className={classes.cellName}>
                {labels.field(child, cell)}
                <Asterisk field={declared} />
              </span>
              <FormField
                entity={child}
                name={cell}
                path={`${path}.${cell}`}
                field={declared}
                isNew={isNew}
                isLocked={isGone || (isLocked && !isNew)}
                isBare
              />
            </div>
          )
        })}
        {mayRemove || isNew ? (
          <IconButton
            label={label}
            icon={isGone ? IconArrowBackUp : IconTrash}
            className={classes.act ?? ''}
            onClick={isGone ? restore : remove}
          />
        ) : null}
      </div>
      {isGone ? <p className={classes.note}>{t(($) => $.engine.removed)}</p> : null}
      {isGone
        ? null
        : nested.map((name) => (
            <Nested key={name} child={child} name={name} path={path} isLocked={isLocked && !isNew} />
          ))}
    </div>
  )
}

function Nested({ child, name, path, isLocked }: { child: EntityName; name: string; path: string; isLocked: boolean }) {
  const field = fieldOf(child, name)
  return field?.kind === 'children' ? (
    <div className={classes.nested}>
      <CollectionField parent={child} name={name} path={`${path}.${name}`} field={field} isLocked={isLocked} />
    </div>
  ) : null
}
