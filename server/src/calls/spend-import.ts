// Handlers that import spends from a file. A dry run keeps the file, so that what is taken is what was shown.
import type { Calls } from '@tributary/contract/calls/registry'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { importSpendFile } from '../entities/spends/import-file.ts'
import { dropUpload, findUpload, noteScope } from '../entities/upload.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'
import { rejectClaimant } from './spend-table.ts'

/** Throws `not_found` unless the partner is visible. */
async function readPartnerId(context: RequestContext, text: string | undefined): Promise<number | null> {
  if (text === undefined) return null
  await readEntity(context, entityNamed('partner'), Number(text), { detailed: false })
  return Number(text)
}

export const importSpends: Handler<Calls['partner_spend_import']> = async (
  { file, query, person, context, language, signal },
  services,
) => {
  rejectClaimant(person)
  const partner = await readPartnerId(context, query.partner)
  const isDryRun = query.dry_run === '1'
  const outcome = await importSpendFile(
    context,
    { path: file.path, name: file.name, partner, month: query.month ?? null, onlyChanges: query.only_changes === '1' },
    isDryRun,
    language,
    signal,
  )
  if (isDryRun) await noteScope(services, file.id, { partner: query.partner, month: query.month })
  else await dropUpload(services, file.id)
  return { import: file.id, ...outcome }
}

interface ImportQuery {
  readonly partner?: string | undefined
  readonly month?: string | undefined
}

/** The scope of the dry run. Throws `invalid` if the call names another one: nobody has seen what that would write. */
function shownScope(scope: Readonly<Record<string, unknown>> | null, query: ImportQuery): ImportQuery {
  if (scope === null) return query
  for (const field of ['partner', 'month'] as const)
    if (query[field] !== undefined && query[field] !== scope[field]) throw invalidField(field, 'value_invalid')
  return scope
}

/** The file goes a day after its upload, as all unused ones do. */
export const takeSpendImport: Handler<Calls['partner_spend_import_take']> = async (
  { params, query, person, context, language, signal },
  services,
) => {
  rejectClaimant(person)
  const file = await findUpload(services, params.id, person.id)
  if (file === undefined) throw new AppError('not_found')
  const scope = shownScope(file.scope, query)
  const partner = await readPartnerId(context, scope.partner)
  const outcome = await importSpendFile(
    context,
    { path: file.path, name: file.name, partner, month: scope.month ?? null, onlyChanges: query.only_changes === '1' },
    false,
    language,
    signal,
  )
  return { import: params.id, ...outcome }
}
