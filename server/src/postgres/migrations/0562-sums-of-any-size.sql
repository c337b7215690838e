-- A sum of amounts can be larger than any one of them: one partner's large sum made every close and every true-up fail.
alter table ledger_entry alter column amount type numeric(28, 4);
alter table ledger_item alter column base type numeric(28, 4), alter column amount type numeric(28, 4);
alter table statement alter column total type numeric(28, 4), alter column paid type numeric(28, 4);
alter table payment_invoice alter column amount type numeric(28, 4);
alter table payment_invoice_line alter column base type numeric(28, 4), alter column amount type numeric(28, 4),
  alter column total type numeric(28, 4);
alter table payment alter column amount type numeric(28, 4);
