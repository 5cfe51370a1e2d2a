import type { Config } from '../../../core/platform/config/index.ts'
import { listLogFiles, tailLogFile, tailLogFiles, type RecentLines } from '../../../core/platform/logging/index.ts'
import type { App, RoutePlugin } from '../../http/app-types.ts'
import { LogFiles, LogTail, LogTails, TailAllQuery, TailQuery } from './logs.schemas.ts'
import { logFileView } from './logs.view.ts'

const LINES = { usual: 200, most: 2000 }

/**
 * `/api/v1/admin/logs`: the server log for administrators. The page polls every few seconds; these requests are not logged, or they would
 * fill the log.
 */
export const logRoutes: RoutePlugin = (app, { services: { config }, recentLines }) => {
  logFileRoutes(app, { config, recentLines })
}

/** The same routes for any process with a log. */
export function logFileRoutes(app: App, logs: { config: Config; recentLines: RecentLines }): void {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { response: { 200: LogFiles } },
    handler: async () => ({ files: (await listLogFiles(logs)).map(logFileView) }),
  })

  app.route({
    method: 'GET',
    url: '/tail',
    config: { access: 'admin', reveals: 'items', isProbe: true },
    schema: { querystring: TailQuery, response: { 200: LogTail } },
    handler: async ({ query: { file, lines } }) => {
      const tail = await tailLogFile(logs, { name: file, maxLines: clampLines(lines) })
      return { file, lines: tail.lines, truncated: tail.isTruncated }
    },
  })

  app.route({
    method: 'GET',
    url: '/tail-all',
    config: { access: 'admin', reveals: 'items', isProbe: true },
    schema: { querystring: TailAllQuery, response: { 200: LogTails } },
    handler: async ({ query }) => {
      const { files, lines, isTruncated } = await tailLogFiles(logs, clampLines(query.lines))
      return { files, lines, truncated: isTruncated }
    },
  })
}

function clampLines(lines: number = LINES.usual): number {
  return Math.min(Math.max(lines, 1), LINES.most)
}
