-- A view may say nothing: the list as it opens for everybody.
alter table saved_view alter column state drop not null, alter column state drop default;
