-- A screen that has left stays left: a beat of it that was under way, and is heard after its leave, does not bring it back.
alter table editing add column left_at timestamptz;
