import { sql, type FragmentSqlToken } from 'slonik'
import type { CheckedConditions, Range } from '../item-filter.ts'
import { phraseOf, wordsOf } from '../search-words.ts'

/** Everything that a filter asks of a row but where it stands: library, level and parent are for those who choose an index. */
export function conditionsOf(filter: CheckedConditions): FragmentSqlToken {
  const { types, facets, years, votes, ranks, isMatched, search } = filter
  const conditions = [
    sql.fragment`i.role is null`,
    ...(types === undefined ? [] : [sql.fragment`i.type = any (${sql.array([...types], 'text')})`]),
    ...facets.map(({ kind, values }) => facetCondition(kind, values)),
    ...inRange(sql.fragment`i.year`, years),
    ...inRange(sql.fragment`i.vote_average::numeric`, votes),
    ...inRange(sql.fragment`i.rating_rank`, ranks),
    ...(isMatched === undefined ? [] : [matchCondition(isMatched)]),
    ...(search === undefined ? [] : [searchCondition(search)]),
  ]
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`
}

/** In the library and directly below the item that a filter names. */
export function inPlace({ libraryId, parentId }: Pick<CheckedConditions, 'libraryId' | 'parentId'>): FragmentSqlToken {
  const library = libraryId === undefined ? sql.fragment`true` : sql.fragment`i.library_id = ${libraryId}`
  return parentId === undefined ? library : sql.fragment`${library} and i.parent_id = ${parentId}`
}

function facetCondition(kind: string, values: readonly string[]): FragmentSqlToken {
  return sql.fragment`i.facets && facet_keys(${`${kind}:`}, ${sql.array([...values], 'text')})`
}

/** As `item_facets` writes it. */
export function facetKey(kind: string, value: string): FragmentSqlToken {
  return sql.fragment`(${`${kind}:`}::text || left(search_fold(${value}), 200))`
}

function inRange(column: FragmentSqlToken, range: Range | undefined): FragmentSqlToken[] {
  const { from = null, to = null } = range ?? {}
  return [
    ...(from === null ? [] : [sql.fragment`${column} >= ${from}`]),
    ...(to === null ? [] : [sql.fragment`${column} <= ${to}`]),
  ]
}

/** Films, videos and series are what providers know; an id of one of them is what a match leaves. */
function matchCondition(isMatched: boolean): FragmentSqlToken {
  const ids = sql.fragment`coalesce((i.metadata || i.local_metadata) -> 'external_ids', '{}')`
  const isWithout = sql.fragment`${ids} in ('{}', 'null')`
  return isMatched
    ? sql.fragment`not (${isWithout})`
    : sql.fragment`i.type in ('movie', 'video', 'series') and ${isWithout}`
}

/**
 * The name holds every word, or a person of it is called so. What no index of names can find, fewer than three letters in a row, is looked
 * for in what lists are sorted by, and where words begin, also behind an article.
 */
function searchCondition(search: string): FragmentSqlToken {
  const { match, words } = wordsOf(search)
  if (match === 'phrase') return holds(search)
  if (match === 'beginnings') {
    return sql.fragment`(${holds(search)} or ${sql.join(words.map(beginningCondition), sql.fragment` and `)})`
  }
  const patterns = words.map(
    (word) => sql.fragment`i.search_name like '%' || ${literalPattern(word)} || '%' escape '!'`,
  )
  return sql.fragment`(${sql.join(patterns, sql.fragment` and `)} or i.facets && ${peopleOf(search)})`
}

/** The people who are called as the search says. */
function peopleOf(search: string): FragmentSqlToken {
  return sql.fragment`array[${facetKey('a', search)}, ${facetKey('n', search)}]`
}

/** What a search for parts finds, in two pieces that have no item in common, each with an index of its own. */
export type NarrowedSearch = { byName: FragmentSqlToken; byPeople: FragmentSqlToken }

/**
 * The same as the condition of a search for parts, by the index of whole words. `lists` are those of `selectWholeWords`. What is compared
 * comes out of subqueries: the planner does not see it, makes one plan for all searches and keeps it, because planning each time took longer
 * than the search. `is true` keeps it from the trigrams of all names. In one piece, every row would be looked at again for both indexes.
 */
export function narrowedSearch(search: string, lists: readonly (readonly string[])[]): NarrowedSearch {
  const indexed = lists.map(
    (words) => sql.fragment`name_words(i.search_name) && (select ${sql.array([...words], 'text')})`,
  )
  const patterns = wordsOf(search).words.map(
    (word) => sql.fragment`i.search_name like (select like_escape('%' || ${literalPattern(word)} || '%', '!'))`,
  )
  const holds = sql.fragment`(${sql.join(patterns, sql.fragment` and `)}) is true`
  return {
    byName: sql.fragment`${sql.join([...indexed, holds], sql.fragment` and `)}`,
    byPeople: sql.fragment`i.facets && (select ${peopleOf(search)}) and not (${holds})`,
  }
}

/** What lists are sorted by holds the search as it stands; every name is looked at. */
function holds(search: string): FragmentSqlToken {
  return sql.fragment`i.sort_key like '%' || ${literalPattern(phraseOf(search))} || '%' escape '!'`
}

/** What stands before a word in a name. */
const BEFORE_WORDS = ['', '% ', '%-', '%(', "%'"]

/** A word of the name begins so. */
function beginningCondition(word: string): FragmentSqlToken {
  const places = BEFORE_WORDS.map(
    (before) =>
      sql.fragment`i.search_name like ${sql.literalValue(before)} || ${literalPattern(word)} || '%' escape '!'`,
  )
  return sql.fragment`(${sql.join(places, sql.fragment` or `)})`
}

/**
 * How well a name fits, best first: the whole name, its beginning, the beginning of a word, a part, all words, a person. What is folded
 * stands in subqueries, which run once: folding it anew for each of a thousand names took longer than everything else.
 */
export function fitOf(search: string): FragmentSqlToken {
  const phrase = sql.fragment`(select search_fold(${phraseOf(search)}))`
  const pattern = sql.fragment`(select ${literalPattern(phraseOf(search))})`
  return sql.fragment`
    case when i.search_name = ${phrase} or i.sort_key = ${phrase} then 0
      when i.search_name like ${pattern} || '%' escape '!' or i.sort_key like ${pattern} || '%' escape '!' then 1
      when i.search_name like '% ' || ${pattern} || '%' escape '!' then 2
      when i.search_name like '%' || ${pattern} || '%' escape '!' then 3
      when i.facets && (select ${peopleOf(search)}) then 5
      else 4 end`
}

/** Whether what lists are sorted by begins with the search: a range of an index. */
export function beginsWith(search: string): FragmentSqlToken {
  return sql.fragment`i.sort_key like ${literalPattern(phraseOf(search))} || '%' escape '!'`
}

/**
 * The same as `conditionsOf` for rows of which most are known to fit. A name that begins with a word nearly always holds it, but the
 * planner takes the two for independent and would fetch all that hold it from another index; `is true` keeps it from that index.
 */
export function likelyConditionsOf(filter: CheckedConditions): FragmentSqlToken {
  if (filter.search === undefined) return conditionsOf(filter)
  const rest = conditionsOf({ ...filter, search: undefined })
  return sql.fragment`${rest} and (${searchCondition(filter.search)}) is true`
}

/** Folded first, escaped then: folding turns the full-width percent sign into a plain one. */
export function literalPattern(search: string): FragmentSqlToken {
  return sql.fragment`regexp_replace(search_fold(${search}), '([!%_])', '!\\1', 'g')`
}
