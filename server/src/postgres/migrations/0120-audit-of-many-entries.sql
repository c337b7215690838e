-- The plan that this trigger makes for a few rows is kept for many: rows before and after must not be set each beside each then.
alter function audit_changed_entries() set enable_nestloop = off;
