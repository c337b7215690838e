-- A statement whose carried revenue share leaves nothing is carried over, and nothing of it is due. A total of zero with such a line tells it
-- exactly: a negative total or one below the minimum was always marked, and tax on zero is zero.
update statement s set carried = true, due_on = null
where not carried and total = 0 and state <> 'void'
  and exists (select from payment_invoice_line l where l.statement_id = s.id and l.carries = 'rs' and l.live);
