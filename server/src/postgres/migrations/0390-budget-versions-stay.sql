-- A budget that was approved keeps its versions: it cannot be deleted with them.
alter table budget_version
  drop constraint budget_version_budget_id_fkey,
  add constraint budget_version_budget_id_fkey foreign key (budget_id) references budget;
