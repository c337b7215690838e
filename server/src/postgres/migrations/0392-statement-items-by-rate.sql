-- An entry of several percentages stands on several lines of one statement, one for each; it never stands on two live statements.
alter table statement_item add column rate numeric(18, 4);
alter table statement_item
  add constraint statement_item_one_statement exclude using gist (ledger_entry_id with =, statement_id with <>)
    where (live and ledger_entry_id is not null);
drop index statement_item_ledger_entry_key;
create unique index statement_item_ledger_entry_key on statement_item (ledger_entry_id, rate) nulls not distinct
  where live and ledger_entry_id is not null;
