// The list of any entity: its declaration in the registry, and the slots that an entity's screen fills.
import { Button } from '@mantine/core'
import { IconDots, IconFilter, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { startSteps } from '@tributary/contract/calls/start-steps'
import type { EntityName } from '@tributary/contract/entities/registry'
import { isTooDeep, type Pagination } from '@tributary/contract/list-query'
import { say } from '@tributary/contract/words/messages'
import { type ComponentType, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { usePreferences } from '../../data/user-preferences.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage, currentWords } from '../../i18n/language.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { useIsLaptop, useIsPhone } from '../../ui/narrow.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { ExportMenu } from '../bulk/export-menu.tsx'
import { useSelection } from '../bulk/selection.ts'
import { type BulkActions, SelectionBar } from '../bulk/selection-bar.tsx'
import { entityOf } from '../field/field-at.ts'
import { isEverAllowed } from '../field/requirement.ts'
import { CREATE_HASH } from '../field/row-link.ts'
import { isOpeningCondition } from '../filter/condition.ts'
import { FilterPanel } from '../filter/filter-panel.tsx'
import { ListChips } from '../filter/list-chips.tsx'
import { PausedInput } from '../filter/paused-input.tsx'
import { CreateModal } from '../form/create-modal.tsx'
import type { FormSlots } from '../form/form-slots.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { fitColumns } from './fit-columns.ts'
import { ListCards } from './list-cards.tsx'
import { ListPager } from './list-pager.tsx'
import { type Row, useHasRows, useRows } from './list-query.ts'
import classes from './list-screen.module.css'
import { activeField } from './list-state.ts'
import { ListTable } from './list-table.tsx'
import { LiveTail, type LiveTopic } from './live-tail.tsx'
import { activateRow, type RowActions, removeRow, type SendActive } from './row-actions.tsx'
import { RowPanel } from './row-panel.tsx'
import { useCheckWidth, widthOf } from './row-setting.ts'
import { type ColumnControl, useColumns } from './use-columns.ts'
import { type ListControl, useListState } from './use-list-state.ts'
import { ViewMenu } from './view-menu.tsx'

/** Parts of a list that the registry cannot declare. */
export interface ListSlots {
  /** Moments are shown in this zone instead of the business zone; `mark` names it in the headers. */
  readonly zone?: { readonly id: string; readonly mark: string }
  readonly setActive?: SendActive
  /** The content of the side panel, instead of the row's fields. */
  readonly view?: ComponentType<{ row: Row }>
  /** Width of the side panel in pixels, if 560 are not enough. */
  readonly panelWidth?: number
  /** Bulk actions beside those of all entities. */
  readonly BulkActions?: BulkActions
  /** Slots of the modal that creates a row. */
  readonly form?: FormSlots
  /** Further actions beside the filters. */
  readonly tools?: ComponentType<ListToolsProps>
  /** The live topic whose rows arrive in the list. */
  readonly live?: LiveTopic
  /** Other views of the same address, by its parameter `view`. */
  readonly views?: Readonly<Record<string, ComponentType>>
}

/** What a component in the header of a list receives. */
export interface ListToolsProps {
  readonly name: EntityName
  readonly list: ListControl
}

function useRowActions(name: EntityName, send: SendActive | undefined): RowActions | null {
  const can = useCan()
  const { access } = entityOf(name)
  const mayEdit = activeField(name) !== null && isEverAllowed(access.edit) && can(access.edit)
  const mayRemove = isEverAllowed(access.remove) && can(access.remove)
  return useMemo(
    () =>
      mayEdit || mayRemove
        ? { setActive: mayEdit ? activateRow(name, send) : null, remove: mayRemove ? removeRow(name) : null }
        : null,
    [name, send, mayEdit, mayRemove],
  )
}

interface ListScreenProps {
  name: EntityName
  slots?: ListSlots | undefined
}

/** The list of an entity, or the view of it that the address names. */
export function ListScreen({ name, slots = {} }: ListScreenProps) {
  const { view }: { view?: unknown } = useSearch({ strict: false })
  const View = typeof view === 'string' && Object.hasOwn(slots.views ?? {}, view) ? slots.views?.[view] : undefined
  return View === undefined ? <ListPage name={name} slots={slots} /> : <View />
}

function ListPage({ name, slots }: { name: EntityName; slots: ListSlots }) {
  const labels = useLabels()
  const list = useListState(name)
  const columns = useColumns(name)
  const actions = useRowActions(name, slots.setActive)
  const hasPanel = entityOf(name).form.length === 0
  const isPhone = useIsPhone()
  return (
    <Page
      title={labels.title(name)}
      // On a phone the rows need its height; the guide says more.
      subtitle={isPhone ? null : labels.subtitle(name)}
      fill={!isPhone}
      leftOut={list.leftOut.map((path) => labels.field(name, path))}
      actions={<ListActions name={name} list={list} columns={columns} slots={slots} />}
    >
      <FilterPanel name={name} list={list} />
      <ListBody name={name} list={list} columns={columns} actions={actions} slots={slots} />
      {hasPanel ? <RowPanel name={name} slots={slots} /> : null}
    </Page>
  )
}

interface ListPartProps {
  name: EntityName
  list: ListControl
  columns: ColumnControl
  slots: ListSlots
}

/** Letters of *New noun* that leave room for the words of all buttons. */
const LONG_NAME = 17

/** On a phone one line: icons beside the search, and a button that unfolds the rest, with words. */
function ListActions({ name, list, columns, slots: { form, tools: Tools, live } }: ListPartProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const isPhone = useIsPhone()
  const [isMore, setMore] = useState(false)
  // Beside buttons of its own, or a long name, a list has no room for the words of all.
  const isLong = Tools !== undefined || labels.create(name).length > LONG_NAME
  const isSmall = useIsLaptop() && !isPhone && isLong
  const create = <CreateButton name={name} form={form} isSmall={isPhone} />
  const tail = live && <LiveTail name={name} topic={live} list={list} isSmall={isPhone} />
  return (
    <>
      <PausedInput
        className={classes.search ?? ''}
        data-search
        type="search"
        size="xs"
        aria-label={`${t(($) => $.actions.search)}: ${labels.title(name)}`}
        placeholder={t(($) => $.list.searchPlaceholder)}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={list.query.query}
        onCommit={(query) => list.change(() => ({ query }), true)}
      />
      <BarButton
        label={t(($) => $.actions.filters)}
        icon={IconFilter}
        isSmall={isPhone}
        variant={list.isPanelOpen ? 'light' : 'default'}
        aria-expanded={list.isPanelOpen}
        aria-controls="filters"
        onClick={() => list.setPanelOpen(!list.isPanelOpen)}
      />
      {isPhone ? (
        <>
          {tail}
          <BarButton
            label={t(($) => $.actions.more)}
            icon={IconDots}
            isSmall
            variant={isMore ? 'light' : 'default'}
            aria-expanded={isMore}
            aria-controls="list-tools"
            onClick={() => setMore(!isMore)}
          />
          {create}
        </>
      ) : null}
      {/* Folded, they stay: what they follow and load does not depend on the bar. */}
      <div id="list-tools" className={classes.tools} hidden={isPhone && !isMore}>
        <ViewMenu name={name} list={list} columns={columns} isSmall={isSmall} />
        <ColumnChooser
          name={name}
          shown={columns.shown}
          pinned={columns.pinned}
          onChange={columns.choose}
          onPin={columns.pin}
          onReset={columns.reset}
          isSmall={isSmall}
        />
        {Tools === undefined ? null : <Tools name={name} list={list} />}
        {isPhone ? null : tail}
        <ExportMenu name={name} columns={columns.shown} query={list.query} isSmall={isSmall} />
      </div>
      {isPhone ? null : create}
    </>
  )
}

interface CreateButtonProps {
  name: EntityName
  form: FormSlots | undefined
  /** Shows the icon alone. */
  isSmall?: boolean
}

function CreateButton({ name, form, isSmall = false }: CreateButtonProps) {
  const labels = useLabels()
  const can = useCan()
  const navigate = useNavigate()
  const isAsked = useLocation({ select: ({ hash }) => hash === CREATE_HASH })
  const [isCreating, setCreating] = useState(false)
  const { access, route, createsInModal } = entityOf(name)
  if (!isEverAllowed(access.create) || !can(access.create)) return null
  const label = labels.create(name)
  const look = isSmall
    ? { 'aria-label': label, px: 0, children: <IconPlus size={18} aria-hidden /> }
    : { leftSection: <IconPlus size={15} aria-hidden />, children: label }
  if (!createsInModal && route !== null) return <Button component={Link} to={`${route}/create`} {...look} />
  const close = () => {
    setCreating(false)
    if (isAsked) void navigate({ to: '.', search: true, hash: '', replace: true })
  }
  return (
    <>
      <Button {...look} onClick={() => setCreating(true)} />
      <CreateModal name={name} slots={form} isOpen={isCreating || isAsked} onClose={close} />
    </>
  )
}

function ListBody({ name, list, columns, actions, slots }: ListPartProps & { actions: RowActions | null }) {
  const labels = useLabels()
  const { page } = list.query
  const isDeep = isTooDeep(list.query)
  // A page beyond the limit is not requested: the first one tells how many there are.
  const rows = useRows(name, isDeep ? { ...list.query, page: 1 } : list.query)
  const hasRows = useHasRows(name, rows.data?.items.length === 0)
  const isUnsaid = rows.data?.items.length === 0 && hasRows === undefined
  // Until it is known what to say of an empty list, the rows before it stay, so that the list is never blank.
  const before = useLastValue(rows.data === undefined || rows.data.items.length === 0 ? null : rows.data)
  const data = isUnsaid ? (before ?? undefined) : rows.data
  const isLong = rows.data !== undefined && isTooDeep(nextPageOf(rows.data.pagination))
  const isBeyond = !rows.isPlaceholderData && (isDeep ? !isLong : rows.data?.items.length === 0)
  const last = isBeyond ? rows.data?.pagination.maxPageNumber : undefined
  const showPage = useEffectEvent((page: number) => list.change(() => ({ page }), true))
  // Rows may have been deleted since the address was copied.
  useEffect(() => {
    if (last !== undefined && page > last) showPage(last)
  }, [last, page])
  const checkWidth = useCheckWidth(actions !== null)
  const shown = useMemo(
    () => fitColumns(columns.shown, data?.items ?? [], columns.stored.widths, labels, checkWidth),
    [columns.shown, columns.stored.widths, data?.items, labels, checkWidth],
  )
  const selection = useSelection(list.query)
  const Rows = useIsPhone() ? ListCards : ListTable
  const skeleton = (
    <TableSkeleton
      columns={columns.shown.map(({ path }) => labels.field(name, path))}
      widths={columns.shown.map(widthOf)}
      lead={checkWidth}
    />
  )
  return (
    <>
      <ListChips name={name} list={list} unapproved={data?.count_data?.unapproved[0] ?? null} />
      {rows.isError && !rows.isFetching ? (
        <FailedState error={rows.error} onRetry={() => void rows.refetch()} />
      ) : data === undefined || (isDeep && !isLong) ? (
        skeleton
      ) : isDeep ? (
        <TooDeep onFirst={() => list.change(() => ({ page: 1 }))} />
      ) : (
        <>
          <SelectionBar
            name={name}
            query={list.query}
            columns={columns.shown}
            control={selection}
            pagination={data.pagination}
            BulkActions={slots.BulkActions}
          />
          {data.items.length === 0 ? (
            <NoRows name={name} list={list} form={slots.form} hasRows={hasRows === true} />
          ) : (
            <Rows
              name={name}
              columns={shown}
              rows={data.items}
              isStale={rows.isPlaceholderData || isUnsaid}
              list={list}
              onResize={columns.resize}
              actions={actions}
              zone={slots.zone}
              selection={selection}
            />
          )}
          <ListPager
            pagination={data.pagination}
            onPage={(page) => list.change(() => ({ page }))}
            onSize={(limit) => list.change(() => ({ limit }))}
          />
        </>
      )}
    </>
  )
}

/** The page behind the last one that lists show. */
const nextPageOf = ({ maxPageNumber, limit }: Pagination) => ({ page: maxPageNumber + 1, limit })

/** A page of a list that is longer than what lists show. */
function TooDeep({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t(($) => $.list.tooDeep)} text={say(currentLanguage(), 'page_too_deep')}>
      <Button variant="default" onClick={onFirst}>
        {t(($) => $.list.firstPage)}
      </Button>
    </EmptyState>
  )
}

/** What a new installation needs first: the dashboard leads through it. */
const FIRST_STEPS: ReadonlySet<EntityName> = new Set(['advertiser', 'offer', 'partner', 'offer_partner'])

/** What the list holds and what fills it. */
function emptyText(name: EntityName): string | undefined {
  const texts: Partial<Record<EntityName, string>> = currentWords().list.emptyOf
  return texts[name]
}

/** Distinguishes an entity without rows from a filter without matches. Every list opens with a filter, so a request decides. */
interface NoRowsProps extends Pick<ListPartProps, 'name' | 'list'> {
  form: FormSlots | undefined
  /** False: also without a filter there are none. */
  hasRows: boolean
}

function NoRows({ name, list, form, hasRows }: NoRowsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { start_hidden: areStepsHidden } = usePreferences()
  const { access } = entityOf(name)
  const mayCreate = isEverAllowed(access.create) && can(access.create)
  const { conditions, query } = list.query
  // Nobody has filtered: only the list's own switches leave rows out.
  const isUntouched =
    query === '' && conditions.length > 0 && conditions.every((condition) => isOpeningCondition(name, condition))
  if (!hasRows || isUntouched)
    return (
      <EmptyState
        title={t(($) => $.list.empty)}
        text={emptyText(name) ?? t(($) => (mayCreate ? $.list.emptyHint : $.list.emptyHintForReaders))}
      >
        <CreateButton name={name} form={form} />
        {can(startSteps.access) && !areStepsHidden && FIRST_STEPS.has(name) ? (
          <Button component={Link} to="/dashboard" variant="subtle">
            {t(($) => $.list.firstSteps)}
          </Button>
        ) : null}
      </EmptyState>
    )
  return (
    <EmptyState title={t(($) => $.list.notFound)} text={t(($) => $.list.notFoundHint)}>
      <Button variant="default" onClick={() => list.change(() => ({ conditions: [], query: '' }))}>
        {t(($) => $.list.clearFilters)}
      </Button>
      <CreateButton name={name} form={form} />
    </EmptyState>
  )
}
