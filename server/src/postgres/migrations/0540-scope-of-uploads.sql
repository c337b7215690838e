-- What a file was read for when its effect was shown: it is taken for the same.
alter table upload add column scope jsonb;
