import type { FastifyRequest } from 'fastify'

/** Whether a request asks for a file to keep, for which the permission to download is needed. */
export function isDownloadRequest({ routeOptions, query }: Pick<FastifyRequest, 'routeOptions' | 'query'>): boolean {
  const { saves = false } = routeOptions.config
  return typeof saves === 'boolean' ? saves : saves(query as Readonly<Record<string, unknown>>)
}
