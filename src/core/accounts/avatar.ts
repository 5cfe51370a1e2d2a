import { randomBytes } from 'node:crypto'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { isPermanentPictureError, type Images, type RenderedPicture } from '../platform/images/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { deleteAvatar, selectAvatar, upsertAvatar } from './queries/accounts.ts'

/** Side of the square in pixels: large enough for a television, about 50 kB. */
const AVATAR_PIXELS = 512

/** More than the camera of any phone; larger pictures would delay others. */
const MAX_PIXELS = 50_000_000

/**
 * Sets the picture of an account. It is re-encoded as JPEG, so that no metadata (location, camera) is kept. The previous picture is
 * deleted.
 * @param input.bytes undefined: the request had no usable file
 * @returns the account with the URL of the picture
 * @throws AppError `invalid_avatar`, `account_not_found`, `too_many_pictures`
 */
export async function setAvatar(
  { db, clock, images }: { db: Database; clock: Clock; images: Pick<Images, 'draw' | 'measure'> },
  { accountId, bytes }: { accountId: string; bytes: Uint8Array | undefined },
): Promise<Account> {
  if (bytes === undefined)
    throw accountErrors.invalid_avatar({ message: 'Send the picture as the file `avatar` of a form' })
  const drawn = await drawAvatar(images, bytes)
  const version = randomBytes(16).toString('hex')
  const url = `/api/v1/users/${accountId}/avatar?v=${version}`
  const account = await db.transaction((connection) =>
    upsertAvatar(connection, { id: accountId, url, version, bytes: drawn, now: clock.now() }),
  )
  if (account === undefined) throw accountErrors.account_not_found()
  return account
}

/**
 * Deletes the picture of an account, if it has one.
 * @throws AppError `account_not_found`
 */
export async function removeAvatar(
  { db, clock }: { db: Database; clock: Clock },
  { accountId }: { accountId: string },
): Promise<Account> {
  const account = await db.transaction((connection) => deleteAvatar(connection, { id: accountId, now: clock.now() }))
  if (account === undefined) throw accountErrors.account_not_found()
  return account
}

/**
 * Reads the picture of an account.
 * @param input.version from its URL; null: the current one
 * @throws AppError `avatar_not_found`, also for another version
 */
export async function readAvatar(
  { db }: { db: Connection },
  { accountId, version }: { accountId: string; version: string | null },
): Promise<RenderedPicture> {
  const avatar = isRowId(accountId) ? await selectAvatar(db, accountId) : undefined
  if (avatar === undefined || (version !== null && version !== avatar.version)) throw accountErrors.avatar_not_found()
  return { bytes: avatar.bytes, contentType: 'image/jpeg', etag: avatar.version, modifiedAt: avatar.createdAt }
}

async function drawAvatar(images: Pick<Images, 'draw' | 'measure'>, bytes: Uint8Array): Promise<Buffer> {
  try {
    const { width, height } = await images.measure(bytes)
    if (width * height > MAX_PIXELS) {
      throw accountErrors.invalid_avatar({ message: `The picture has ${width} x ${height} pixels, which is too much` })
    }
    return await images.draw(bytes, { fit: 'cover', width: AVATAR_PIXELS, height: AVATAR_PIXELS })
  } catch (error) {
    if (!(error instanceof AppError) || !isPermanentPictureError(error)) throw error
    throw accountErrors.invalid_avatar({ message: error.text, cause: error })
  }
}
