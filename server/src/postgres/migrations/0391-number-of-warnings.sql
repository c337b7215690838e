-- How many warnings a log has, for its list and file.
alter table google_parse_result
  add column warnings_count int not null generated always as (jsonb_array_length(warnings)) stored;
