// Routes of entities, from the registry: list, /create, /$id/edit. A noun with screens of its own gets those; the addresses stay the same.

import { type AnyRoute, createRoute, redirect, useParams } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { ENTITY_PLACES, type EntityPlace } from '../data/entity-places.ts'
import { withRecordWords } from '../i18n/language.ts'
import { ENTITY_SCREENS } from '../screens/registry.ts'
import { requireAccess } from './guards.ts'
import { type LazyScreen, lazyScreen } from './lazy-screen.tsx'

const engineList = lazyScreen<{ name: EntityName }>(
  'list',
  withRecordWords(async () => (await import('../entities/list-screen.tsx')).ListScreen),
)
const engineForm = lazyScreen<{ name: EntityName; id: number | null }>(
  'form',
  withRecordWords(async () => (await import('../entities/form-screen.tsx')).FormScreen),
)

function listOf(name: EntityName) {
  const load = ENTITY_SCREENS[name]?.list
  if (load) {
    const own = lazyScreen(
      `${name} list`,
      withRecordWords(async () => (await load()).default),
    )
    return Object.assign(() => <own.Screen />, { preload: own.preload })
  }
  return Object.assign(() => <engineList.Screen key={name} name={name} />, { preload: engineList.preload })
}

function formOf(name: EntityName, isNew: boolean) {
  const load = ENTITY_SCREENS[name]?.form
  const own = load
    ? lazyScreen(
        `${name} form`,
        withRecordWords(async () => (await load()).default),
      )
    : null
  const preload = (own ?? engineForm).preload
  return Object.assign(() => <EntityForm name={name} own={own} isNew={isNew} />, { preload })
}

interface EntityFormProps {
  name: EntityName
  own: LazyScreen<{ id: number | null }> | null
  isNew: boolean
}

function EntityForm({ name, own, isNew }: EntityFormProps) {
  const { id }: { id?: string } = useParams({ strict: false })
  const row = isNew ? null : Number(id)
  // A new key for each row: nothing typed for one record may stay for the next.
  return own ? <own.Screen key={row} id={row} /> : <engineForm.Screen key={`${name} ${row}`} name={name} id={row} />
}

/** A row number in an address is a positive integer; anything else is a page that does not exist. */
function checkId({ params }: { params: Record<string, string> }): void {
  if (!/^[1-9]\d{0,9}$/.test(params.id ?? '')) throw redirect({ to: '/404', replace: true })
}

export function entityRoutes(parent: () => AnyRoute): AnyRoute[] {
  // The keys of the record are the names.
  const names = Object.keys(ENTITY_PLACES) as EntityName[]
  return names.flatMap((name) => routesOf(name, ENTITY_PLACES[name], parent))
}

function routesOf(name: EntityName, place: EntityPlace, getParentRoute: () => AnyRoute): AnyRoute[] {
  const { route, access, hasForm, createsInModal } = place
  if (route === null) return []
  const list = createRoute({
    getParentRoute,
    path: route,
    component: listOf(name),
    beforeLoad: requireAccess(access.view),
    staticData: { title: (words) => words.entities[name].title },
  })
  if (!hasForm) return [list]
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
  const isMadeHere =
    !createsInModal &&
    (access.create === 'everyone' || access.create.roles?.length !== 0 || access.create.permissions !== undefined)
  if (!isMadeHere) return [list, edit]
  const create = createRoute({
    getParentRoute,
    path: `${route}/create`,
    component: formOf(name, true),
    beforeLoad: requireAccess(access.create),
    staticData: { title: (words) => words.entities[name].create },
  })
  return [list, edit, create]
}
