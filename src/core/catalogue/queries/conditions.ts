import { sql, type FragmentSqlToken } from 'slonik'
import type { CheckedConditions } from '../filter/item-filter.ts'
import type { NumberRange } from '../filter/number-range.ts'
import { searchPhrase, chooseSearchWords } from '../filter/search-words.ts'

/**
 * All conditions of a filter except library, parent (`parentCondition`) and level (`topLevelCondition`), which the callers add because the
 * choice of the index depends on them.
 */
export function contentConditions(filter: CheckedConditions): FragmentSqlToken {
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

/** The condition for the library and the parent of a filter. */
export function parentCondition({
  libraryId,
  parentId,
}: Pick<CheckedConditions, 'libraryId' | 'parentId'>): FragmentSqlToken {
  const library = libraryId === undefined ? sql.fragment`true` : sql.fragment`i.library_id = ${libraryId}`
  return parentId === undefined ? library : sql.fragment`${library} and i.parent_id = ${parentId}`
}

/** The condition for the level of a filter: only items without a parent, or all. */
export function topLevelCondition({ isTopLevel }: Pick<CheckedConditions, 'isTopLevel'>): FragmentSqlToken {
  return isTopLevel ? sql.fragment`i.parent_id is null` : sql.fragment`true`
}

function facetCondition(kind: string, values: readonly string[]): FragmentSqlToken {
  return sql.fragment`i.facets && facet_keys(${`${kind}:`}, ${sql.array([...values], 'text')})`
}

/** The key of a facet as `item_facets` stores it. */
export function facetKey(kind: string, value: string): FragmentSqlToken {
  return sql.fragment`(${`${kind}:`}::text || left(search_fold(${value}), 200))`
}

function inRange(column: FragmentSqlToken, range: NumberRange | undefined): FragmentSqlToken[] {
  const { from = null, to = null } = range ?? {}
  return [
    ...(from === null ? [] : [sql.fragment`${column} >= ${from}`]),
    ...(to === null ? [] : [sql.fragment`${column} <= ${to}`]),
  ]
}

/** Only films, videos and series can be matched: providers know them. A matched item has an id of a provider. */
function matchCondition(isMatched: boolean): FragmentSqlToken {
  const ids = sql.fragment`coalesce((i.metadata || i.local_metadata) -> 'external_ids', '{}')`
  const isWithout = sql.fragment`${ids} in ('{}', 'null')`
  return isMatched
    ? sql.fragment`not (${isWithout})`
    : sql.fragment`i.type in ('movie', 'video', 'series') and ${isWithout}`
}

/**
 * Matches if the name contains every word, or if a person of the item has this name. Words that no name index can find (fewer than three
 * letters in a row) are searched in the sort title and at the beginnings of words, including the first word after an article.
 */
function searchCondition(search: string): FragmentSqlToken {
  const { match, words } = chooseSearchWords(search)
  if (match === 'phrase') return holds(search)
  if (match === 'beginnings') {
    return sql.fragment`(${holds(search)} or ${sql.join(words.map(beginningCondition), sql.fragment` and `)})`
  }
  const patterns = words.map(
    (word) => sql.fragment`i.search_name like '%' || ${escapeLikePattern(word)} || '%' escape '!'`,
  )
  return sql.fragment`(${sql.join(patterns, sql.fragment` and `)} or i.facets && ${peopleOf(search)})`
}

/** The people whose name matches the search. */
function peopleOf(search: string): FragmentSqlToken {
  return sql.fragment`array[${facetKey('a', search)}, ${facetKey('n', search)}]`
}

/** The results of a partial-word search as two disjoint conditions, each with an index of its own. */
export type NarrowedSearch = { byName: FragmentSqlToken; byPeople: FragmentSqlToken }

/**
 * Selects the same items as the condition of a partial-word search, but by the index of whole words. `lists` is the result of
 * `selectWholeWords`. The compared values come from subqueries: the planner does not see them, makes one plan for all searches and keeps
 * it, because planning each time took longer than the search. `is true` prevents the trigram index of all names. As one condition, every
 * row would be checked again for both indexes.
 */
export function narrowSearch(search: string, lists: readonly (readonly string[])[]): NarrowedSearch {
  const indexed = lists.map(
    (words) => sql.fragment`name_words(i.search_name) && (select ${sql.array([...words], 'text')})`,
  )
  const patterns = chooseSearchWords(search).words.map(
    (word) => sql.fragment`i.search_name like (select like_escape('%' || ${escapeLikePattern(word)} || '%', '!'))`,
  )
  const holds = sql.fragment`(${sql.join(patterns, sql.fragment` and `)}) is true`
  return {
    byName: sql.fragment`${sql.join([...indexed, holds], sql.fragment` and `)}`,
    byPeople: sql.fragment`i.facets && (select ${peopleOf(search)}) and not (${holds})`,
  }
}

/** The sort title contains the search text; every name is read. */
function holds(search: string): FragmentSqlToken {
  return sql.fragment`i.sort_key like '%' || ${escapeLikePattern(searchPhrase(search))} || '%' escape '!'`
}

/** Patterns of what may precede a word in a name. */
const BEFORE_WORDS = ['', '% ', '%-', '%(', "%'"]

/** A word of the name begins with this word. */
function beginningCondition(word: string): FragmentSqlToken {
  const places = BEFORE_WORDS.map(
    (before) =>
      sql.fragment`i.search_name like ${sql.literalValue(before)} || ${escapeLikePattern(word)} || '%' escape '!'`,
  )
  return sql.fragment`(${sql.join(places, sql.fragment` or `)})`
}

/**
 * Ranks how well a name matches, best first: the whole name, its beginning, the beginning of a word, a part, all words, a person. Folded
 * values are in subqueries, which run once: folding for each of a thousand names took longer than everything else.
 */
export function matchRank(search: string): FragmentSqlToken {
  const phrase = sql.fragment`(select search_fold(${searchPhrase(search)}))`
  const pattern = sql.fragment`(select ${escapeLikePattern(searchPhrase(search))})`
  return sql.fragment`
    case when i.search_name = ${phrase} or i.sort_key = ${phrase} then 0
      when i.search_name like ${pattern} || '%' escape '!' or i.sort_key like ${pattern} || '%' escape '!' then 1
      when i.search_name like '% ' || ${pattern} || '%' escape '!' then 2
      when i.search_name like '%' || ${pattern} || '%' escape '!' then 3
      when i.facets && (select ${peopleOf(search)}) then 5
      else 4 end`
}

/** Whether the sort title begins with the search: an index range. */
export function sortTitleBeginsWith(search: string): FragmentSqlToken {
  return sql.fragment`i.sort_key like ${escapeLikePattern(searchPhrase(search))} || '%' escape '!'`
}

/**
 * Selects the same items as `contentConditions`, for rows of which most are expected to match. The planner does not know that a name which
 * begins with a word also contains it. It would fetch all names with the word from another index; `is true` prevents the use of that index.
 */
export function likelyContentConditions(filter: CheckedConditions): FragmentSqlToken {
  if (filter.search === undefined) return contentConditions(filter)
  const rest = contentConditions({ ...filter, search: undefined })
  return sql.fragment`${rest} and (${searchCondition(filter.search)}) is true`
}

/** Folds before it escapes: folding turns the full-width percent sign into `%`. */
export function escapeLikePattern(search: string): FragmentSqlToken {
  return sql.fragment`regexp_replace(search_fold(${search}), '([!%_])', '!\\1', 'g')`
}
