// Routes of entities, from the registry: list, /create, /$id/edit. A noun with screens of its own gets those; the addresses stay the same.

import { type AnyRoute, createRoute, redirect, useParams } from '@tanstack/react-router'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { type LazyComponent, lazyComponent } from '../lib/lazy-component.tsx'
import { ENTITY_SCREENS } from '../screens/registry.tsx'
import { requireAccess } from './guards.ts'

const EngineList = lazyComponent('list', async () => (await import('../entities/list/list-screen.tsx')).ListScreen)
const EngineForm = lazyComponent('form', async () => (await import('../entities/form/form-screen.tsx')).FormScreen)

function listOf(name: EntityName) {
  const load = ENTITY_SCREENS[name]?.list
  if (load) return lazyComponent(`${name} list`, load)
  return Object.assign(() => <EngineList key={name} name={name} />, { preload: EngineList.preload })
}

function formOf(name: EntityName, isNew: boolean) {
  const load = ENTITY_SCREENS[name]?.form
  const own = load ? lazyComponent(`${name} form`, load) : null
  const { preload } = own ?? EngineForm
  return Object.assign(() => <EntityForm name={name} own={own} isNew={isNew} />, { preload })
}

interface EntityFormProps {
  name: EntityName
  own: LazyComponent<{ id: number | null }> | null
  isNew: boolean
}

function EntityForm({ name, own: OwnForm, isNew }: EntityFormProps) {
  const { id }: { id?: string } = useParams({ strict: false })
  const row = isNew ? null : Number(id)
  // A new key for each row: nothing typed for one record may stay for the next.
  return OwnForm ? <OwnForm key={row} id={row} /> : <EngineForm key={`${name} ${row}`} name={name} id={row} />
}

/** A row number in an address is a positive integer; anything else is a page that does not exist. */
function checkId({ params }: { params: Record<string, string> }): void {
  if (!/^[1-9]\d{0,9}$/.test(params.id ?? '')) throw redirect({ to: '/404', replace: true })
}

export function entityRoutes(parent: () => AnyRoute): AnyRoute[] {
  // The keys of the record are the names.
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
