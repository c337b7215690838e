-- The audit log stored the moment of each entry twice, and had an index for each. What reads created_at reads `at` now, and uses its index.
alter table audit_log drop column created_at;
alter table audit_log add column created_at timestamptz generated always as (at) virtual;
