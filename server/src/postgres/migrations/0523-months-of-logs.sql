-- The audit log, postbacks and the attempts to send them are partitioned by month, so that old months are dropped as a whole. What is there
-- becomes the first partition. Ids are unique within a partition; one sequence gives them.
alter table postback_attempt drop constraint postback_attempt_postback_id_fkey;

do $$
declare
  of record;
  own record;
  past text;
  until text;
  last_id bigint;
begin
  for of in select * from (values ('audit_log', 'at'), ('postback', 'created_at'), ('postback_attempt', 'at')) as t (name, col) loop
    past := of.name || '_past';
    select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into until from pg_constraint
      where conrelid = of.name::regclass and conname = 'past_until';
    if of.name <> 'postback_attempt' then
      execute format('select case when is_called then last_value else 0 end from %I', of.name || '_id_seq') into last_id;
      execute format('alter table %I alter column id drop identity', of.name);
      execute format('create sequence %I', of.name || '_id_seq');
      execute format('alter table %I alter column id set default nextval(%L)', of.name, of.name || '_id_seq');
      if last_id > 0 then
        perform setval((of.name || '_id_seq')::regclass, last_id);
      end if;
    end if;
    execute format('alter table %I rename to %I', of.name, past);
    execute format('create table %I (like %I including defaults including generated including storage) partition by range (%I)',
      of.name, past, of.col);
    if of.name <> 'postback_attempt' then
      execute format('alter sequence %I owned by %I.id', of.name || '_id_seq', of.name);
    end if;
    for own in select c.relname, i.indexrelid, i.indisprimary from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = past::regclass loop
      execute format('alter index %I rename to %I', own.relname, replace(own.relname, of.name, past));
      -- A primary key of the parent would need the moment among its columns, and a new index of the past.
      if not own.indisprimary then
        execute replace(replace(pg_get_indexdef(own.indexrelid), replace(own.relname, of.name, past), own.relname), past, of.name);
      end if;
    end loop;
    for own in select conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = past::regclass and contype in ('c', 'f') and conname <> 'past_until' loop
      execute format('alter table %I add constraint %I %s', of.name, own.conname, own.definition);
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', of.name, past, until);
    execute format('alter table %I drop constraint past_until', past);
    -- Rows of a moment for which no partition is made yet.
    execute format('create table %I partition of %I default', of.name || '_rest', of.name);
  end loop;
end $$;

alter table audit_log_rest add primary key (id);
alter table postback_rest add primary key (id);
alter table postback_attempt_rest add primary key (postback_id, number);
