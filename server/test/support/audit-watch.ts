// Watches every table of an entity: reports a row that was changed without an audit entry in the same transaction. Exceptions are traffic, as
// in docs/domain.md.

import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Pool } from 'pg'
import { columnOf, fieldsOf, isStored } from '../../src/entities/engine/model/model.ts'

/** Columns written by machines, which are recorded elsewhere. */
const TRAFFIC: Readonly<Record<string, readonly string[]>> = {
  player: ['first_deposit_at', 'first_deposit_amount', 'first_deposit_currency_id', 'inner_id'],
  report: ['progress', 'finished_at', 'status', 'error', 'rows', 'warnings'],
  api_key: ['last_used_at'],
  players_report_api: ['status'],
}
/** Rows whose creation is recorded by a stored postback or report. */
const MADE_BY_TRAFFIC: ReadonlySet<string> = new Set(['player', 'player_report'])
/** Statuses that change during processing. */
const UNDER_WAY: Readonly<Record<string, string>> = { report: 'status', players_report_api: 'status' }

const MARKS: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'version'])
const quoted = (names: readonly string[]): string => `array[${names.map((name) => `'${name}'`).join(', ')}]::text[]`

const isWatched = (entity: Entity): boolean => entity.isLog !== true && entity.source !== 'clickhouse'

export async function watchAudit(pool: Pool): Promise<{ unaudited(): Promise<string[]> }> {
  await pool.query(`create table watched (xact xid8 default pg_current_xact_id(), entity text, id bigint, action text, fields text[]);
    create table noted (xact xid8 default pg_current_xact_id(), entity text, id bigint);
    create function watch() returns trigger language plpgsql as $$
    declare
      was jsonb := to_jsonb(old); became jsonb := to_jsonb(new); told text[];
    begin
      if current_setting('tributary.seed', true) = 'yes' then return null; end if;
      if tg_op = 'UPDATE' then
        told := array(select name from unnest(string_to_array(tg_argv[2], ',')) as name where was -> name is distinct from became -> name);
        if told = '{}' then return null; end if;
      end if;
      insert into watched (entity, id, action, fields)
      values (tg_argv[0], (coalesce(became, was) ->> tg_argv[1])::bigint, lower(tg_op), told);
      return null;
    end $$;
    create function note() returns trigger language plpgsql as $$ begin
      insert into noted (entity, id) values (new.entity, new.entity_id);
      return null;
    end $$;
    create trigger noted after insert on audit_log for each row execute function note();`)
  for (const entity of Object.values<Entity>(ENTITIES)) if (isWatched(entity)) await pool.query(watchEntity(entity))
  return {
    async unaudited() {
      const { rows } = await pool.query<{ told: string }>(`select distinct w.entity || ': ' || w.action || ' ' ||
          coalesce(array_to_string(w.fields, ', '), '') as told
        from watched w where not exists (select from noted n where n.xact = w.xact and n.entity = w.entity and n.id = w.id)
        order by told`)
      return rows.map((row) => row.told)
    },
  }
}

function watchEntity(entity: Entity): string {
  const { name } = entity
  const traffic = TRAFFIC[name] ?? []
  const columns = [...fieldsOf(entity)]
    .flatMap(([key, field]) => (isStored(field) ? [columnOf(key, field)] : []))
    .filter((column) => !MARKS.has(column) && !traffic.includes(column))
  const acts = MADE_BY_TRAFFIC.has(name) ? 'update or delete' : 'insert or update or delete'
  const status = UNDER_WAY[name]
  const statements = [
    `create trigger watched after ${acts} on "${name}" for each row execute function watch('${name}', 'id', '${columns.join(',')}')`,
    ...(status === undefined
      ? []
      : [
          `create trigger watched_end after update on "${name}" for each row
            when (old.${status} is distinct from new.${status} and new.${status} <> all(${quoted(['waiting', 'processing'])}))
            execute function watch('${name}', 'id', '${status}')`,
        ]),
    ...[...fieldsOf(entity).values()].flatMap((field) =>
      field.kind === 'references' && !field.readOnly
        ? [
            `create trigger watched_${field.through.own} after insert or delete on "${field.through.table}" for each row
              execute function watch('${name}', '${field.through.own}', '')`,
          ]
        : [],
    ),
  ]
  return statements.join(';\n')
}
