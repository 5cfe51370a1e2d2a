import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import {
  dashResource,
  jobResource,
  parseStreamFile,
  limitPlaylistBandwidth,
  readPlaylist,
  readStreamSubtitle,
  streamingErrors,
  getTranscodeProgress,
  addImageStream,
} from '../../../core/streaming/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { SignatureQuery } from '../../http/schemas.ts'
import { requireBandwidthForQuality } from '../../http/limit-quality-bandwidth.ts'
import { sendFile } from '../../http/send-file.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { signerFor } from '../../http/signer-for.ts'
import { masterUrl } from '../transcodes/transcodes.view.ts'
import { findImageStream } from './image-stream.ts'
import { HlsFileParameters, HlsFileQuery, ManifestPointer, PlaylistPointer } from './hls.schemas.ts'
import { JobParameters } from '../transcodes/transcodes.schemas.ts'

/** The content of a segment never changes. Its URL contains a signature, so only private caches may store it. */
const SEGMENT_CACHE_CONTROL = 'private, max-age=31536000, immutable'

/** Playlists and segments of transcode jobs. */
export const hlsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/playlist',
    config: {
      access: 'signed',
      reveals: 'items',
      playback: 'job',
      signedResource: ({ jobId = '' }) => jobResource(jobId),
    },
    schema: { params: JobParameters, querystring: SignatureQuery, response: { 200: PlaylistPointer } },
    handler: async (request) => {
      const { jobId } = request.params
      await readPlaylist(services, { jobId, file: { kind: 'master' } })
      return { playlist_url: masterUrl(jobId, null, signerFor(request, services.signer)) }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: {
      access: 'signed',
      reveals: 'items',
      playback: 'job',
      signedResource: ({ jobId = '' }) => jobResource(jobId),
    },
    schema: { params: HlsFileParameters, querystring: HlsFileQuery },
    handler: async (request, reply) => {
      const { jobId } = request.params
      const file = parseStreamFile(request.params.file)
      if (file === undefined) throw streamingErrors.stream_file_not_found()
      const contentType = contentTypeOfFile(request.params.file)
      await requireBandwidthForQuality(services, request, { jobId, file })
      if (file.kind === 'segment') {
        const handle = await services.openSegment({ jobId, ...file }, connectionClosedSignal(reply))
        return sendFile(request, reply, { handle, contentType, cacheControl: SEGMENT_CACHE_CONTROL })
      }
      const text =
        file.kind === 'subtitle'
          ? await readStreamSubtitle(services, { jobId, index: file.index, part: file.part })
          : await readPlaylist(services, {
              jobId,
              file,
              queryOf: (addressedId) => signatureQuery(services, request, { jobId, addressedId }),
              subtitle: request.query.sub,
            })
      const offered =
        file.kind === 'master' && request.maxKbps !== null ? limitPlaylistBandwidth(text, request.maxKbps) : text
      const images = file.kind === 'master' ? await findImageStream(services, request, jobId) : undefined
      const shown = images === undefined ? offered : addImageStream(offered, images)
      return reply.type(contentType).header('cache-control', 'no-cache').send(shown)
    },
  })
}

/**
 * Returns the query of the URLs in a playlist. A request with a signature gets the same signature, so that its validity is not extended. A
 * request with a bearer token gets a new signature, because players send no headers for the URLs of a playlist.
 * A film of several files also has segments in other jobs. Their signatures expire at the same time.
 */
function signatureQuery(
  { signer }: SigningServices,
  request: Pick<FastifyRequest, 'account' | 'grant'> & { query: Static<typeof SignatureQuery> },
  { jobId, addressedId }: { jobId: string; addressedId: string },
): string {
  const given = request.query
  if (request.account === null && addressedId === jobId) return `exp=${String(given.exp)}&sig=${String(given.sig)}`
  const by = signerFor(request, signer)
  const { exp, sig } = by.sign(jobResource(addressedId))
  return `exp=${exp}&sig=${sig}`
}

/** DASH is not supported: the route that points to the manifest exists, the manifest does not. */
export const dashRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/manifest',
    config: { access: 'signed', reveals: 'items', signedResource: ({ jobId = '' }) => dashResource(jobId) },
    schema: { params: JobParameters, querystring: SignatureQuery, response: { 200: ManifestPointer } },
    handler: async (request) => {
      const { job } = await getTranscodeProgress(services, request.params.jobId)
      const resource = dashResource(job.id)
      return { manifest_url: signerFor(request, services.signer).signUrl(`${resource}manifest.mpd`, resource) }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:jobId/:file',
    config: { access: 'signed', reveals: 'items', signedResource: ({ jobId = '' }) => dashResource(jobId) },
    schema: { params: HlsFileParameters },
    handler: async () => {
      throw streamingErrors.dash_not_produced()
    },
  })
}
