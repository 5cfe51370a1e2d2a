import { browseFolders } from '../../../core/libraries/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import { Folders, FoldersQuery } from './folders.schemas.ts'
import { foldersView } from './folders.view.ts'

/** Folders of this machine, at both paths that existing clients use. */
export const folderRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))
  for (const url of ['/fs/browse', '/server/fs']) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'admin', reveals: 'items' },
      schema: { querystring: FoldersQuery, response: { 200: Folders } },
      handler: async ({ query }) => ({
        success: true as const,
        data: foldersView(await browseFolders(services, query)),
      }),
    })
  }
}
