-- Lists of payments leave reversed ones out by it.
alter table payment add column reversed boolean not null generated always as (reversed_at is not null) stored;
