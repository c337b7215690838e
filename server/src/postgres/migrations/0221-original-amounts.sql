-- Facts have amounts in the currency of the term as well: those that exist are rebuilt.
insert into facts_rebuild (reason) select 'original amounts' where exists (select from player) or exists (select from partner_spend);
