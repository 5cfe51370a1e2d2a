import { z } from 'zod'
import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { selectScores } from './queries.ts'

const Id = z.guid()

/** A score from 1 or 0 to 10, and the number of votes; null if the number is unknown. */
export type ItemScore = { source: 'tmdb' | 'nfo' | 'users'; score: number; votes: number | null }

/** `aggregate`: the mean over the sources, with equal weight; null without any. */
export type ItemScores = { scores: ItemScore[]; aggregate: number | null }

/**
 * The scores of an item: from its provider, from its NFO file, and from the accounts of this server.
 * @throws AppError `media_item_not_found`
 */
export async function listScores({ db }: { db: Connection }, itemId: string): Promise<ItemScores> {
  const row = Id.safeParse(itemId).success ? await selectScores(db, itemId) : undefined
  if (row === undefined) throw catalogueErrors.media_item_not_found()
  const rows = [
    { source: 'tmdb', score: row.provider, votes: row.providerVotes },
    { source: 'nfo', score: row.local, votes: row.localVotes },
    { source: 'users', score: row.people, votes: row.peopleVotes },
  ] as const
  const scores = rows.flatMap(({ source, score, votes }) =>
    score === null ? [] : [{ source, score: rounded(score), votes: votes === null ? null : Math.round(votes) }],
  )
  const sum = scores.reduce((total, { score }) => total + score, 0)
  return { scores, aggregate: scores.length === 0 ? null : rounded(sum / scores.length) }
}

/** Rounds to one decimal. */
function rounded(score: number): number {
  return Math.round(score * 10) / 10
}
