-- Voiding a statement ends its dispute. Lists filter by open disputes.
update statement set disputed_at = null, disputed_by_id = null where state = 'void' and disputed_at is not null;
alter table statement add column disputed boolean not null generated always as (disputed_at is not null) stored;
