-- Why a dispute was resolved. Reasons of the other steps stand in the audit log.
alter table statement add column resolve_reason text;
