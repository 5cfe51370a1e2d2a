import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { MediaItemType } from '../item/media-item.ts'

const SimilarRow = z.strictObject({ id: z.string(), weight: z.number() })

/** A similar item. The weight grows with the number of shared people and genres. */
export type SimilarRow = z.infer<typeof SimilarRow>

/** Maximum number of candidates with shared people, and of candidates with shared genres and a close year. */
const MAX_WEIGHED = 300
const YEARS_AROUND = 5

/**
 * Items of the same library and type that share people with an item, or genres if the years are close. A shared person weighs as much as
 * three genres. Facet prefixes: `a:` actor, `n:` director, artist or author, `g:` genre.
 */
export async function selectSimilarItems(
  connection: Connection,
  source: { id: string; libraryId: string; type: MediaItemType; year: number | null; limit: number },
): Promise<SimilarRow[]> {
  // No item is from the years around 0: an item without a year has no candidates by genre.
  const year = source.year ?? 0
  const isComparable = sql.fragment`
    i.library_id = ${source.libraryId} and i.type = ${source.type} and i.role is null and i.missing_since is null and i.id <> ${source.id}`
  const rows = await connection.any(sql.type(SimilarRow)`
    with wanted_facets as materialized (
      select array(select f from unnest(s.facets) f where f like 'a:%' or f like 'n:%') as people,
        array(select f from unnest(s.facets) f where f like 'g:%') as genres
      from media_items s where s.id = ${source.id}),
    candidates as (
      (select i.id, i.facets, i.vote_average from wanted_facets w, media_items i
        where ${isComparable} and i.facets && w.people limit ${MAX_WEIGHED})
      union
      (select i.id, i.facets, i.vote_average from wanted_facets w, media_items i
        where ${isComparable} and i.facets && w.genres and i.year between ${year - YEARS_AROUND} and ${year + YEARS_AROUND}
        limit ${MAX_WEIGHED}))
    select c.id, w.weight::int4 as weight
    from candidates c, lateral (
      select sum(case when f like 'g:%' then 1 else 3 end) as weight from unnest(c.facets) f
      where f = any ((select people || genres from wanted_facets)::text[])) w
    where w.weight > 0
    order by w.weight desc, c.vote_average desc nulls last, c.id limit ${source.limit}`)
  return [...rows]
}
