import { readAvatar, removeAvatar, setAvatar } from '../../../core/accounts/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { acceptMultipartForms, readUploadedFile } from '../../http/uploaded-file.ts'
import { AvatarQuery, AvatarReply } from './avatars.schemas.ts'

/** Size of a photo of a phone camera, with reserve. */
const UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024

/** Maximum number of concurrent uploads. Each is in memory until its picture is drawn. */
const MAX_UPLOADS = 2

/** Profile pictures. */
export const avatarRoutes: RoutePlugin = (app, { services }) => {
  acceptMultipartForms(app, { limitBytes: UPLOAD_LIMIT_BYTES, atOnce: MAX_UPLOADS })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/me/avatar',
    config: { access: 'user', reveals: 'none' },
    handler: async (request, reply) => {
      const picture = await readAvatar(services, { accountId: signedInAccount(request).id, version: null })
      return sendPicture(request, reply, { picture, cacheControl: 'private, no-cache' })
    },
  })

  // Public: clients use the URL in elements that send no token, and keep it longer than signed URLs are valid. The URL contains an
  // unguessable id.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/avatar',
    config: { access: 'public', reveals: 'none' },
    schema: { params: IdParameters, querystring: AvatarQuery },
    handler: async (request, reply) => {
      const { v: version = '' } = request.query
      const picture = await readAvatar(services, { accountId: request.params.id, version })
      return sendPicture(request, reply, { picture, cacheControl: 'private, max-age=86400' })
    },
  })

  for (const method of ['POST', 'PUT'] as const) {
    app.route({
      method,
      url: '/me/avatar',
      bodyLimit: UPLOAD_LIMIT_BYTES,
      // Each upload is in memory until its picture is drawn. The rate limit keeps a client from exhausting it.
      config: { access: 'user', reveals: 'none', surface: 'avatar', hasOwnLimit: true },
      schema: { response: { 200: AvatarReply } },
      handler: async (request) => {
        const form = { body: request.body, contentType: request.headers['content-type'] }
        const bytes = readUploadedFile(form, 'avatar')
        const account = await setAvatar(services, { accountId: signedInAccount(request).id, bytes })
        return { avatar_url: account.avatarUrl, message: 'Picture saved' }
      },
    })
  }

  app.route({
    method: 'DELETE',
    url: '/me/avatar',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: AvatarReply } },
    handler: async (request) => {
      const account = await removeAvatar(services, { accountId: signedInAccount(request).id })
      return { avatar_url: account.avatarUrl, message: 'Picture removed' }
    },
  })
}
