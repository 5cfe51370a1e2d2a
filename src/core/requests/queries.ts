import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdWithLengthRow, type Connection, type IdWithLength } from '../platform/database/index.ts'
import { REQUEST_STATUSES, type MediaRequest, type RequestStatus, type CheckedMediaRequest } from './media-request.ts'

const RequestRow = z.strictObject({
  id: z.string(),
  userId: z.string(),
  type: z.enum(['movie', 'series']),
  catalogId: z.number(),
  title: z.string(),
  posterUrl: z.string().nullable(),
  tvdbId: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  status: z.enum(REQUEST_STATUSES),
  rejectionReason: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const requestColumns = sql.fragment`
  id, user_id, type, catalog_id, title, poster_url, tvdb_id, season_number, episode_number, status, rejection_reason, created_at,
  greatest(updated_at, arrived_at) as updated_at`

export async function insertRequest(
  connection: Connection,
  { userId, fields, now }: { userId: string; fields: CheckedMediaRequest; now: Date },
): Promise<MediaRequest> {
  return connection.one(sql.type(RequestRow)`
    insert into media_requests (user_id, type, catalog_id, title, poster_url, season_number, episode_number, created_at, updated_at)
    values (${userId}, ${fields.type}, ${fields.catalogId}, ${fields.title}, ${fields.posterUrl}, ${fields.seasonNumber},
      ${fields.episodeNumber}, ${sql.timestamp(now)}, ${sql.timestamp(now)})
    returning ${requestColumns}`)
}

export async function selectRequest(connection: Connection, id: string): Promise<MediaRequest | undefined> {
  const row = await connection.maybeOne(
    sql.type(RequestRow)`select ${requestColumns} from media_requests where id = ${id}`,
  )
  return row ?? undefined
}

/** The ids of a page with the length of their texts, newest first. */
export async function selectRequestIds(
  connection: Connection,
  filter: { userId?: string | undefined; status?: RequestStatus | undefined; limit: number | null; offset: number },
): Promise<readonly IdWithLength[]> {
  const { userId, status, limit, offset } = filter
  const conditions = [sql.fragment`true`]
  if (userId !== undefined) conditions.push(sql.fragment`user_id = ${userId}`)
  if (status !== undefined) conditions.push(sql.fragment`status = ${status}`)
  return connection.any(sql.type(IdWithLengthRow)`
    select id, char_length(title) + coalesce(char_length(poster_url), 0) + coalesce(char_length(rejection_reason), 0) as length
    from media_requests where ${sql.join(conditions, sql.fragment` and `)}
    order by created_at desc, id limit ${limit} offset ${offset}`)
}

/** The requests that still exist, newest first. */
export async function selectRequestsById(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly MediaRequest[]> {
  return connection.any(sql.type(RequestRow)`
    select ${requestColumns} from media_requests where id = any(${sql.array(ids, 'uuid')}) order by created_at desc, id`)
}

/** The number of a user's pending requests. */
export async function countPendingRequests(connection: Connection, userId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_requests where user_id = ${userId} and status = 'pending'`)
}

/** Deletes a pending request of its owner; returns whether it existed. */
export async function deletePendingRequest(
  connection: Connection,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from media_requests where id = ${id} and user_id = ${userId} and status = 'pending'`)
  return rowCount > 0
}

/** Approves a pending request; undefined when it is not (or no longer) pending. */
export async function approvePendingRequest(
  connection: Connection,
  { id, tvdbId, now }: { id: string; tvdbId: number | null; now: Date },
): Promise<MediaRequest | undefined> {
  const row = await connection.maybeOne(sql.type(RequestRow)`
    update media_requests set status = 'approved', tvdb_id = ${tvdbId}, updated_at = ${sql.timestamp(now)}
    where id = ${id} and status = 'pending' returning ${requestColumns}`)
  return row ?? undefined
}

/** Rejects a pending request; undefined when it is not (or no longer) pending. */
export async function rejectPendingRequest(
  connection: Connection,
  { id, reason, now }: { id: string; reason: string | null; now: Date },
): Promise<MediaRequest | undefined> {
  const row = await connection.maybeOne(sql.type(RequestRow)`
    update media_requests set status = 'rejected', rejection_reason = ${reason}, updated_at = ${sql.timestamp(now)}
    where id = ${id} and status = 'pending' returning ${requestColumns}`)
  return row ?? undefined
}

/** Approved requests whose title is not available yet, oldest first; optionally only requests for a title with one of these ids. */
export async function selectApprovedRequests(
  connection: Connection,
  title?: { type: MediaRequest['type']; tmdbId: number | null; tvdbId: number | null },
): Promise<readonly MediaRequest[]> {
  const isTitle =
    title === undefined
      ? sql.fragment`true`
      : sql.fragment`type = ${title.type} and (catalog_id = ${title.tmdbId} or tvdb_id = ${title.tvdbId})`
  return connection.any(sql.type(RequestRow)`
    select ${requestColumns} from media_requests where status = 'approved' and ${isTitle} order by created_at, id`)
}

/** Marks the requests that have the status approved as available, and returns them. */
export async function updateToAvailable(
  connection: Connection,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<readonly MediaRequest[]> {
  return connection.any(sql.type(RequestRow)`
    update media_requests set status = 'available', arrived_at = ${sql.timestamp(now)}
    where id = any(${sql.array(ids, 'uuid')}) and status = 'approved' returning ${requestColumns}`)
}
