-- What a user has arranged for themselves: favourites and folded areas of the menu. A table of its own, so that it does not change the version of the user.
create table user_preference (
  user_id int primary key references "user" on delete cascade,
  value jsonb not null
);
