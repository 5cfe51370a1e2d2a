-- why: managers of NFO files write the country before the name of the board (`DE:FSK 6`, `US:Rated R`), and some join the board and the age (`FSK6`).
-- Films with such a rating counted as unrated, and no limit could be given so.

create temporary table ages_before on commit drop as
  select id, item_stated_age(metadata, local_metadata) as age from media_items where metadata ? 'rating' or local_metadata ? 'rating';

-- The country of a board; `PEGI` has ages of its own. Null for another word.
create function rating_board_country(board text) returns text language sql immutable parallel safe
  return case board
    when 'USA' then 'US' when 'MPA' then 'US' when 'MPAA' then 'US' when 'UK' then 'GB' when 'BBFC' then 'GB' when 'FSK' then 'DE'
    when 'ACB' then 'AU' when 'KIJKWIJZER' then 'NL' when 'CBFC' then 'IN' when 'EIRIN' then 'JP' when 'KMRB' then 'KR'
    when 'CLASSIND' then 'BR' when 'CNC' then 'FR' when 'ARCOM' then 'FR' when 'CSA' then 'FR' when 'PEGI' then 'PEGI' end;

-- As before, and `FSK6`, `DE:FSK 6`, `DE:FSK-6`, `DE:FSK6`, `US:Rated R`.
create or replace function rating_age(said text, said_country text) returns smallint language plpgsql stable parallel safe
  set search_path = public, pg_temp as $$
declare
  entry text;
  parts text[];
  board text[];
  part_age smallint;
  highest smallint;
begin
  foreach entry in array regexp_split_to_array(upper(left(said, 200)), '\s*[,;|]\s*|\s+/\s+') loop
    entry := trim(regexp_replace(regexp_replace(entry, '^\s*RATED[ :]+|\s+FOR\s.*$', '', 'g'), '\s+', ' ', 'g'));
    part_age := rating_word_age(entry, upper(said_country));
    if part_age is null then
      parts := regexp_match(entry, '^([A-Z]{1,20}) ?[-:/ ] ?([0-9]{1,2} ?[+]?)$');
      if parts is null then parts := regexp_match(entry, '^([A-Z]{2,20}) ?[-:/ ] ?(.+)$'); end if;
      if parts is not null then
        part_age := rating_word_age(
          regexp_replace(parts[2], '^RATED[ :]+', ''), coalesce(rating_board_country(parts[1]), parts[1]));
      end if;
      if part_age is null then
        -- A board, after a country or alone, and what it says. Ages may be joined to it.
        board := regexp_match(coalesce(parts[2], entry),
          '^(MPAA?|BBFC|FSK|ACB|KIJKWIJZER|CBFC|EIRIN|KMRB|CLASSIND|CNC|ARCOM|CSA|PEGI)(?:[-:/ ]+(.+)|([0-9]{1,2} ?[+]?))$');
        if board is not null then
          part_age := rating_word_age(coalesce(board[2], board[3]), rating_board_country(board[1]));
        end if;
      end if;
    end if;
    highest := greatest(highest, part_age);
  end loop;
  return highest;
end $$;

-- Triggers write the ages of these items and of all below them.
update media_items i set access_age = -1 from ages_before b
where b.id = i.id and item_stated_age(i.metadata, i.local_metadata) is distinct from b.age;
