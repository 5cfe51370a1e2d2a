import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import {
  removeThemeMedia,
  getThemeMedia,
  openThemeMedia,
  scanThemeMedia,
  themeResource,
  THEME_KINDS,
} from '../../../core/theme-media/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { ThemeMediaRecord, ThemeParameters } from './theme-media.schemas.ts'
import { themeMediaView } from './theme-media.view.ts'

const CACHE_CONTROL = 'private, max-age=3600'

/** The theme of a library. Signed-in users read it; administrators search for it and remove it. */
export const themeMediaRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/theme-media',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ThemeMediaRecord } },
    handler: async (request) => {
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const theme = await getThemeMedia(services, { libraryId: request.params.id })
      return themeMediaView(theme, { signer: services.signer, showPath })
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/theme-media/scan',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ThemeMediaRecord } },
    handler: async (request) => {
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const theme = await scanThemeMedia(services, { libraryId: request.params.id })
      return themeMediaView(theme, { signer: services.signer, showPath })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/theme-media',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params: { id } }) => {
      await removeThemeMedia(services, { libraryId: id })
      return { message: 'Theme media forgotten' }
    },
  })
}

/** The media files of themes. */
export const themeStreamRoutes: RoutePlugin = (app, { services }) => {
  for (const kind of THEME_KINDS) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/:libraryId/${kind}`,
      config: {
        access: 'signed',
        reveals: 'items',
        signedResource: ({ libraryId = '' }) => themeResource({ libraryId, kind }),
      },
      schema: { params: ThemeParameters },
      handler: async (request, reply) => {
        const { libraryId } = request.params
        const { handle, path } = await openThemeMedia(services, { libraryId, kind })
        // The file of a theme song may be named `theme.mp4`.
        const contentType = contentTypeOfFile(path).replace(/^(?:audio|video)\//, `${kind}/`)
        return sendFile(request, reply, { handle, contentType, cacheControl: CACHE_CONTROL })
      },
    })
  }
}
