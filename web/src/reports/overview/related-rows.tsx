// What hangs on a record: for each kind of row their number, the first ones, and the way to the list of all.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { type Condition, EMPTY_QUERY, type ListAnswer, writeListQuery } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { PANEL_PARAM, recordPath } from '../../entities/field/row-link.ts'
import { rowTitle } from '../../entities/field/row-text.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { defaultQuery, writeSearch } from '../../entities/list/list-state.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import classes from './overview.module.css'
import type { Relation } from './overview-slots.ts'

const ASKED = 10
const SHOWN = 5

export function RelatedRows({ record, relations }: { record: Row; relations: readonly Relation[] }) {
  const { t } = useTranslation()
  const can = useCan()
  const open = relations.filter(({ entity }) => can(entityOf(entity).access.view))
  const logs = open.filter(({ isLog }) => isLog)
  if (open.length === 0) return null
  return (
    <section aria-label={t(($) => $.overview.related)}>
      <h2 className={classes.title}>{t(($) => $.overview.related)}</h2>
      <div className={classes.cards}>
        {open.map((relation) =>
          relation.isLog ? null : <Related key={relation.entity} record={record} relation={relation} />,
        )}
      </div>
      {logs.length === 0 ? null : (
        <ul className={classes.ways}>
          {logs.map((relation) => (
            <li key={relation.entity}>
              <ListLink relation={relation} record={record} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Rows in use, like the list at first. */
function conditionsOf({ entity, conditions }: Relation, record: Row): readonly Condition[] {
  const active: Condition[] = ENTITIES[entity].hasActive ? [{ path: 'active', operator: 'eq', values: ['1'] }] : []
  return [...active, ...conditions(record)]
}

function ListLink({ relation, record }: { relation: Relation; record: Row }) {
  const labels = useLabels()
  const opening = defaultQuery(relation.entity, businessToday())
  const query = { ...opening, conditions: conditionsOf(relation, record) }
  return (
    <Link to={entityOf(relation.entity).route ?? ''} search={writeSearch(query)} className={classes.link ?? ''}>
      {labels.title(relation.entity)}
    </Link>
  )
}

function Related({ record, relation }: { record: Row; relation: Relation }) {
  const { t } = useTranslation()
  const { entity } = relation
  const conditions = conditionsOf(relation, record)
  const params = writeListQuery({ ...defaultQuery(entity, businessToday()), ...EMPTY_PAGE, conditions })
  const rows = useQuery({
    queryKey: keys.list(entity, params),
    queryFn: ({ signal }) => http.get<ListAnswer<Row>>(entity, { query: params, signal }),
  })
  const { data } = rows
  return (
    <section className={classes.card} aria-busy={data === undefined && !rows.isError}>
      <h3 className={classes.cardTitle}>
        <ListLink relation={relation} record={record} />
        {data === undefined ? null : <span className={classes.count}>{formatCount(data.pagination.total)}</span>}
      </h3>
      {rows.isError ? <FailedState error={rows.error} onRetry={() => void rows.refetch()} /> : null}
      {rows.isPending ? [1, 2, 3].map((line) => <Skeleton key={line} height={12} my={9} />) : null}
      {data?.items.length === 0 ? <p className={classes.quiet}>{t(($) => $.overview.noRows)}</p> : null}
      <ul className={classes.rows}>
        {data?.items.slice(0, SHOWN).map((row) => (
          <RelatedRow key={row.id} row={row} relation={relation} />
        ))}
      </ul>
    </section>
  )
}

const EMPTY_PAGE = { page: EMPTY_QUERY.page, limit: ASKED, query: '' }

function RelatedRow({ row, relation: { entity, nameOf } }: { row: Row; relation: Relation }) {
  const labels = useLabels()
  const path = recordPath(entity, row.id)
  const title = nameOf?.(row) ?? rowTitle(entity, row)
  const state = row.state ?? row.qualification ?? row.status
  const field = ['state', 'qualification', 'status'].find((name) => row[name] === state) ?? 'state'
  return (
    <li className={classes.row}>
      <Link
        to={path ?? entityOf(entity).route ?? ''}
        // Rows without a page of their own open in a panel above their list.
        search={path === null ? { [PANEL_PARAM]: row.id } : {}}
        className={`${classes.link} ${classes.name}`}
        title={title}
      >
        {title}
      </Link>
      {typeof state === 'string' ? (
        <StateBadge tone={toneOf(state)}>{labels.choice(entity, field, state)}</StateBadge>
      ) : null}
    </li>
  )
}
