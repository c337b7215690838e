-- The audit log is read from the latest moment back, by whatever it is filtered.
drop index audit_log_user_id_idx;
create index audit_log_user_id_idx on audit_log (user_id, at desc, id desc);
drop index audit_log_action_idx;
create index audit_log_action_idx on audit_log (action, at desc, id desc);
drop index audit_log_kind_idx;
create index audit_log_kind_idx on audit_log (entity, at desc, id desc);
drop index audit_log_entity_id_idx;
create index audit_log_entity_id_idx on audit_log (entity_id, at desc, id desc);
create index audit_log_created_at_idx on audit_log (created_at desc, id desc);
