import { sql, type FragmentSqlToken } from 'slonik'

/** The names of a row `i` without edits: an object with the columns that a name consists of, in the format of `naming_before`. */
export const uneditedNames = sql.fragment`coalesce(i.unedited - 'local_metadata', jsonb_build_object(
  'name', i.name, 'sort_title', i.sort_title, 'year', i.year, 'episode_title', i.episode_title))`

/**
 * Assignments that rename a row `i` below its edits. They are also written to the unedited values, because the trigger cannot distinguish a
 * name equal to the edit from an unwritten one.
 * @param names a complete object of names
 */
export function assignNames(names: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    unedited = i.unedited || ${names},
    name = ${names}->>'name', sort_title = ${names}->>'sort_title', year = (${names}->>'year')::int, episode_title = ${names}->>'episode_title'`
}
