import type { FileHandle } from 'node:fs/promises'
import { getItem } from '../../../core/catalogue/index.ts'
import { getLibrary } from '../../../core/libraries/index.ts'
import { contentTypeOf, fileErrors, openInsideRoot } from '../../../core/platform/files/index.ts'
import type { Services } from '../../../core/services.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { streamResource } from './media.view.ts'

/** Browsers may keep what they fetched of a film while it plays; the signature in the address ends earlier than files change. */
const CACHE_CONTROL = 'private, max-age=3600'

/** The bytes of an item's file (document 1, signed media addresses). */
export const mediaFileRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/stream',
    config: { access: 'signed', signedResource: ({ id = '' }) => streamResource(id) },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      const { handle, path } = await openItemFile(services, request.params.id)
      return sendFile(request, reply, { handle, contentType: contentTypeOf(path), cacheControl: CACHE_CONTROL })
    },
  })
}

async function openItemFile(services: Services, itemId: string): Promise<{ handle: FileHandle; path: string }> {
  const { path, libraryId } = await getItem(services, itemId)
  if (path === null) throw fileErrors.file_not_found()
  const { paths } = await getLibrary(services, libraryId)
  const root = paths.find((folder) => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
  if (root === undefined) throw fileErrors.path_outside_root()
  return { handle: await openInsideRoot(root, path), path }
}
