-- Every change of every entity, written by the store in the same transaction as the change.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id int references "user",
  action text not null,
  entity text not null,
  entity_id bigint,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_entity_idx on audit_log (entity, entity_id, id desc);
create index audit_log_user_id_idx on audit_log (user_id, id desc);
