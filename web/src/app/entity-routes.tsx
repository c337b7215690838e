// Creates the routes of entities from the registry: list, /create, /$id/edit, and /$id for those with an overview. An entity may add its own slots to them.

import { type AnyRoute, createRoute, redirect, useParams } from '@tanstack/react-router'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { ReactNode } from 'react'
import type { FormSlots } from '../entities/form/form-slots.ts'
import type { ListSlots } from '../entities/list/list-screen.tsx'
import { loadScreenWords } from '../i18n/language.ts'
import type { OverviewSlots } from '../reports/overview/overview-slots.ts'
import { requireAccess } from './guards.ts'
import { lazyScreen } from './lazy-screen.tsx'

/** Parts that an entity adds to its generated list and form. */
interface EntitySlots {
  readonly list?: () => Promise<ListSlots>
  readonly form?: () => Promise<FormSlots>
  readonly overview?: () => Promise<OverviewSlots>
}

const ENTITY_SLOTS: Partial<Record<EntityName, EntitySlots>> = {
  google_parse_result: {
    list: async () => (await import('../screens/google-parse-result/parse-log-list.tsx')).GOOGLE_PARSE_RESULT_LIST,
  },
  adjustment: { list: async () => (await import('../screens/finance/adjustment-list.ts')).ADJUSTMENT_LIST },
  advertiser: {
    form: async () => (await import('../screens/advertiser/advertiser-form.tsx')).ADVERTISER_FORM,
    overview: async () => (await import('../screens/advertiser/advertiser-overview.tsx')).ADVERTISER_OVERVIEW,
  },
  audit_log: { list: async () => (await import('../screens/audit-log/audit-log-list.tsx')).AUDIT_LOG_LIST },
  click: { list: async () => (await import('../screens/click/click-list.tsx')).CLICK_LIST },
  offer: {
    list: async () => (await import('../screens/offer/offer-form.tsx')).OFFER_LIST,
    form: async () => (await import('../screens/offer/offer-form.tsx')).OFFER_FORM,
    overview: async () => (await import('../screens/offer/offer-overview.tsx')).OFFER_OVERVIEW,
  },
  offer_partner: {
    form: async () => (await import('../screens/offer-partner/offer-partner-form.tsx')).OFFER_PARTNER_FORM,
    overview: async () => (await import('../screens/offer-partner/offer-partner-overview.tsx')).OFFER_PARTNER_OVERVIEW,
  },
  ledger_entry: { list: async () => (await import('../screens/finance/entry-view.tsx')).LEDGER_ENTRY_LIST },
  payment_model: {
    form: async () => (await import('../screens/payment-model/payment-model-form.tsx')).PAYMENT_MODEL_FORM,
  },
  partner: {
    list: async () => (await import('../screens/partner/partner-form.tsx')).PARTNER_LIST,
    form: async () => (await import('../screens/partner/partner-form.tsx')).PARTNER_FORM,
    overview: async () => (await import('../screens/partner/partner-overview.tsx')).PARTNER_OVERVIEW,
  },
  partner_group: {
    form: async () => (await import('../screens/partner-group/partner-group-form.tsx')).PARTNER_GROUP_FORM,
  },
  partner_spend: {
    list: async () => (await import('../screens/partner-spend/list-tools.tsx')).PARTNER_SPEND_LIST,
    form: async () => (await import('../screens/partner-spend/spend-form.ts')).PARTNER_SPEND_FORM,
  },
  payment_invoice: { list: async () => (await import('../screens/statement/invoice-view.tsx')).PAYMENT_INVOICE_LIST },
  player: {
    list: async () => (await import('../screens/player/player-form.tsx')).PLAYER_LIST,
    form: async () => (await import('../screens/player/player-form.tsx')).PLAYER_FORM,
    overview: async () => (await import('../screens/player/player-overview.tsx')).PLAYER_OVERVIEW,
  },
  player_report: { list: async () => (await import('../screens/player-report/import-panel.tsx')).PLAYER_REPORT_LIST },
  players_report_api: {
    list: async () => (await import('../screens/players-report-api/retrieve-modal.tsx')).PLAYERS_REPORT_API_LIST,
  },
  postback: { list: async () => (await import('../screens/postback/postback-list.tsx')).POSTBACK_LIST },
  statement: { list: async () => (await import('../screens/statement/statement-view.tsx')).STATEMENT_LIST },
  user: { form: async () => (await import('../screens/user/user-form.tsx')).USER_FORM },
  user_role: { form: async () => (await import('../screens/user-role/user-role-form.tsx')).USER_ROLE_FORM },
}

const listOf = (name: EntityName) =>
  lazyScreen(
    `${name} list`,
    async () => {
      const [{ ListScreen }, slots] = await Promise.all([
        import('../entities/list/list-screen.tsx'),
        ENTITY_SLOTS[name]?.list?.(),
      ])
      return () => <ListScreen name={name} slots={slots} />
    },
    loadScreenWords,
  )

const formOf = (name: EntityName, isNew: boolean) =>
  lazyScreen(
    `${name} form`,
    async () => {
      const [{ FormScreen }, slots] = await Promise.all([
        import('../entities/form/form-screen.tsx'),
        ENTITY_SLOTS[name]?.form?.(),
      ])
      return () => (
        <WithRowId isNew={isNew}>{(id) => <FormScreen key={id} name={name} id={id} slots={slots} />}</WithRowId>
      )
    },
    loadScreenWords,
  )

const overviewOf = (name: EntityName) =>
  lazyScreen(
    `${name} overview`,
    async () => {
      const [{ RecordOverview }, slots] = await Promise.all([
        import('../reports/overview/record-overview.tsx'),
        ENTITY_SLOTS[name]?.overview?.(),
      ])
      if (slots === undefined) throw new Error(`${name} has no overview`)
      return () => (
        <WithRowId isNew={false}>
          {(id) => (id === null ? null : <RecordOverview key={id} name={name} id={id} slots={slots} />)}
        </WithRowId>
      )
    },
    loadScreenWords,
  )

/** Callers key the child by the id, so that unsaved input of one row does not appear in the next. */
function WithRowId({ isNew, children }: { isNew: boolean; children: (id: number | null) => ReactNode }) {
  const { id }: { id?: string } = useParams({ strict: false })
  return children(isNew ? null : Number(id))
}

/** Only a positive integer is a row id; any other value leads to /404. */
function checkId({ params }: { params: Record<string, string> }): void {
  if (!/^[1-9]\d{0,9}$/.test(params.id ?? '')) throw redirect({ to: '/404', replace: true })
}

export function entityRoutes(parent: () => AnyRoute): AnyRoute[] {
  // ENTITIES is keyed by entity names only.
  const names = Object.keys(ENTITIES) as EntityName[]
  return names.flatMap((name) => routesOf(name, ENTITIES[name], parent))
}

function routesOf(name: EntityName, entity: Entity, getParentRoute: () => AnyRoute): AnyRoute[] {
  const { route, access, form, createsInModal } = entity
  if (route === null) return []
  const list = createRoute({
    getParentRoute,
    path: route,
    component: listOf(name),
    beforeLoad: requireAccess(access.view),
    staticData: { title: (words) => words.entities[name].title },
  })
  if (form.length === 0) return [list]
  const edit = createRoute({
    getParentRoute,
    path: `${route}/$id/edit`,
    component: formOf(name, false),
    beforeLoad: async (at) => {
      checkId(at)
      await requireAccess(access.view)()
    },
    staticData: { title: (words) => `${words.entities[name].title} · ${words.form.editTitle}` },
  })
  const records = entity.hasOverview === true ? [edit, overviewRoute(name, entity, getParentRoute)] : [edit]
  const isMadeHere =
    !createsInModal &&
    (access.create === 'everyone' || access.create.roles?.length !== 0 || access.create.permissions !== undefined)
  if (!isMadeHere) return [list, ...records]
  const create = createRoute({
    getParentRoute,
    path: `${route}/create`,
    component: formOf(name, true),
    beforeLoad: requireAccess(access.create),
    staticData: { title: (words) => words.entities[name].create },
  })
  return [list, ...records, create]
}

function overviewRoute(name: EntityName, { route, access }: Entity, getParentRoute: () => AnyRoute): AnyRoute {
  return createRoute({
    getParentRoute,
    path: `${route}/$id`,
    component: overviewOf(name),
    beforeLoad: async (at) => {
      checkId(at)
      await requireAccess(access.view)()
    },
    staticData: { title: (words) => words.entities[name].title },
  })
}
