import { sql, type FragmentSqlToken } from 'slonik'

/** What a row `i` is called without what people have said: an object of the columns that a name consists of, as `naming_before` is one. */
export const naming = sql.fragment`coalesce(i.unedited - 'local_metadata', jsonb_build_object(
  'name', i.name, 'sort_title', i.sort_title, 'year', i.year, 'episode_title', i.episode_title))`

/**
 * Assignments that call a row `i` otherwise, beneath what people have said. There it is written too: the trigger cannot tell a name that
 * is the same as theirs from one that is not written.
 * @param anew such an object, complete
 */
export function called(anew: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    unedited = i.unedited || ${anew},
    name = ${anew}->>'name', sort_title = ${anew}->>'sort_title', year = (${anew}->>'year')::int, episode_title = ${anew}->>'episode_title'`
}
