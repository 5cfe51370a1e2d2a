-- why: a search for a part of a word read the trigrams of all names: of a million names each trigram stands in thousands. Names share
-- their words. A table of distinct words has few rows to look through, and an index from whole words to items answers which names hold
-- them. The table only narrows a search down: a word that no item has any more costs a row, a missing word would hide items.

-- The words of a folded name. A name without gaps can be longer than an index entry may be: what is longer than 100 characters stands in
-- the index as chr(1), which every search also asks for. Neither strict nor with a subquery, so that the planner puts the body in its place.
create function name_words(folded text) returns text[] language sql immutable parallel safe
  return string_to_array(
    case when length(folded) > 100 then regexp_replace(folded, '[^ ]{101,}', chr(1), 'g') else folded end, ' ');

-- Not unique: two transactions that bring the same new word need not wait for each other, and a word that is there twice does no harm.
create table item_words (
  id bigint generated always as identity primary key,
  word text collate "C" not null
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- What was written last stands in a list that every search reads from its beginning to its end: it is kept short.
create index item_words_by_word on item_words (word);
create index item_words_parts on item_words using gin (word gin_trgm_ops) with (gin_pending_list_limit = 512);
create index media_items_words on media_items using gin (name_words(search_name)) with (gin_pending_list_limit = 512);

insert into item_words (word)
select distinct word collate "C" from media_items, unnest(name_words(search_name)) as words (word);

-- The words of new items. Which words are there already is always looked up in the index: a plan that reads the whole table, made while it
-- was small, would be kept while it grows. The lock is that of every insert, taken before the look, so that it excludes
-- forget_unused_words: otherwise a word could be found here and removed there.
create function note_new_words() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  lock table item_words in row exclusive mode;
  insert into item_words (word)
  select n.word from (select distinct w.word collate "C" as word from added, unnest(name_words(search_name)) as w (word)) n
  where not exists (select from item_words k where k.word = n.word);
  return null;
end $$;

-- The same for one item that has another name: most changes of items change no name, and cost no more than the comparison.
create function note_changed_words() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  lock table item_words in row exclusive mode;
  insert into item_words (word)
  select n.word from (select distinct w.word collate "C" as word from unnest(name_words(new.search_name)) as w (word)) n
  where not exists (select from item_words k where k.word = n.word);
  return null;
end $$;

create trigger item_words_of_new after insert on media_items
  referencing new table as added for each statement execute function note_new_words();
create trigger item_words_of_renamed after update on media_items
  for each row when (old.name is distinct from new.name) execute function note_changed_words();

-- A table that people empty with psql leaves no words.
create function forget_all_words() returns trigger language plpgsql as $$
begin
  delete from item_words;
  return null;
end $$;

create trigger item_words_of_all_removed after truncate on media_items for each statement execute function forget_all_words();

-- Removes words that no item has, and the second of two equal ones, among so many words after one of them. Answers the last word's id that
-- was looked at; null at the end, and while items are being written.
create function forget_unused_words(after_id bigint, most integer) returns bigint language plpgsql set enable_seqscan = off as $$
declare
  last_id bigint;
begin
  begin
    lock table item_words in share row exclusive mode nowait;
  exception when lock_not_available then
    return null;
  end;
  select max(id) into last_id from (select id from item_words where id > after_id order by id limit most) page;
  delete from item_words w where w.id > after_id and w.id <= last_id
    and (not exists (select from media_items i where name_words(i.search_name) @> array[w.word::text])
      or exists (select from item_words o where o.word = w.word and o.id < w.id));
  return last_id;
end $$;
