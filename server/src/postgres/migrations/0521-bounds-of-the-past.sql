-- What is there until the month after next becomes one partition. A bound that is known beforehand lets it be attached without reading it.
do $$
declare
  until text := to_char(date_trunc('month', now() at time zone 'UTC') + interval '2 months', 'YYYY-MM-DD" 00:00:00+00"');
  of record;
begin
  for of in select * from (values ('audit_log', 'at'), ('postback', 'created_at'), ('postback_attempt', 'at')) as t (name, col) loop
    execute format('alter table %I add constraint past_until check (%I < %L::timestamptz) not valid', of.name, of.col, until);
  end loop;
end $$;
