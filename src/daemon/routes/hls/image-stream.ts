import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  findFilmTrickplay,
  TRICKPLAY_NAMES,
  trickplayResource,
  type FilmTrickplay,
} from '../../../core/analysis/index.ts'
import { AppError } from '../../../core/platform/errors/index.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../../core/platform/media-tools/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { findJobItemId, type ImageStream } from '../../../core/streaming/index.ts'
import type { SignatureQuery } from '../../http/schemas.ts'
import { signerFor } from '../../http/signer-for.ts'

/** Returns the trickplay image stream of the film of a job; undefined if the film has no thumbnails. */
export async function findImageStream(
  services: Pick<SigningServices, 'db' | 'trickplay' | 'signer'>,
  request: Pick<FastifyRequest, 'account' | 'grant'> & { query: Static<typeof SignatureQuery> },
  jobId: string,
): Promise<ImageStream | undefined> {
  const film = await findFilm(services, jobId)
  if (film === undefined) return undefined
  const resource = trickplayResource(jobId)
  const { exp, sig } = signerFor(request, services.signer).sign(resource)
  const url = `${resource}${TRICKPLAY_NAMES.playlist}?exp=${exp}&sig=${sig}`
  return { bandwidth: bandwidthOf(film), width: PICTURE_WIDTH, height: PICTURE_HEIGHT, url }
}

async function findFilm(services: Pick<SigningServices, 'db' | 'trickplay'>, jobId: string) {
  const itemId = await findJobItemId(services, jobId)
  if (itemId === undefined) return undefined
  try {
    return await findFilmTrickplay(services, itemId)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Bit rate of the grid files. Each file contains the grid and its single pictures. */
function bandwidthOf({ pictures }: FilmTrickplay): number {
  // A grid has about as many bytes as its single pictures together.
  const bytes = pictures.reduce((sum, { picture: { lengthBytes } }) => sum + 2 * lengthBytes, 0)
  return (bytes * 8) / Math.max(1, pictures.at(-1)?.endSeconds ?? 1)
}
